/**
 * Sends signed events of a forge with something changed in each. None may cause a fault of the service, and none may
 * link anything to a record of another board, whose references they name.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Client } from '@specboard/client'
import type { Lab } from '../harness/lab.ts'
import { scenario } from '../harness/scenario.ts'
import { acme, drained, eventsOfMinute, registered, sendSigned } from '../load/forge-events.ts'

interface Kind {
  readonly name: string
  readonly examples: readonly object[]
}

const require = createRequire(new URL('../../../packages/domain/package.json', import.meta.url))
const examplesFile = () => require.resolve('@octokit/webhooks-examples/api.github.com/index.json')

/** Kinds of events that have an effect. */
const ofInterest =
  /^(?:check_run|check_suite|create|delete|merge_group|pull_request|pull_request_review|push|status|workflow_run)$/

export default scenario({
  summary: 'signed events of a forge with something changed in each: none is a fault, none links beyond its board',
  options: { events: 5_000 },
  short: { events: 100 },
  engines: ['sqlite', 'postgres'],
  run: async (lab, { events }) => {
    const server = await lab.start()
    const { client } = server
    const boards = [await boardWithCard(client, 'Own'), await boardWithCard(client, 'Foreign')] as const
    const refs = boards.map(({ ref }) => ref)
    const [own] = boards
    const repositories = await registered(client, own.id, Math.ceil(events / eventsOfMinute))
    const kinds = (JSON.parse(readFileSync(examplesFile(), 'utf8')) as readonly Kind[]).filter(({ name }) =>
      ofInterest.test(name),
    )
    const answers = new Map<number, number>()
    for (let number = 0; number < events; number++) {
      const { name, examples } = kinds[number % kinds.length]!
      const example = examples[Math.floor(Math.random() * examples.length)]!
      const payload = { ...(mutated(example, refs, number) as object), repository: acme }
      const status = await sendSigned(server.url, repositories[number % repositories.length]!, name, payload)
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
    for (const repository of repositories) await drained(client, repository)
    const faults = [...answers].filter(([status]) => status >= 500).reduce((sum, [, count]) => sum + count, 0)
    const counts = await outcomes(client, repositories)
    const { links, outside } = await linksOf(client, own)
    lab.report.figure('signed events with something changed', {
      events,
      ...Object.fromEntries([...answers].map(([status, count]) => [`answered ${status}`, count])),
      ...counts,
      links,
    })
    lab.report.expect(faults === 0, `${faults} events were a fault of the service`)
    lab.report.expect(links > 0, 'no event linked anything, so that nothing was tried')
    lab.report.expect(outside === 0, `${outside} links led to another board`)
    await nothingOn(lab, client, boards[1])
  },
})

interface BoardWithCard {
  readonly id: string
  readonly cardId: string
  readonly ref: string
}

async function boardWithCard(client: Client, name: string): Promise<BoardWithCard> {
  const { id } = await client.createBoard({ name, description: '' })
  const card = await client.createCard({ board_id: id, title: 'Card' })
  return { id, cardId: card.id, ref: card.ref }
}

/** Replacements for values. */
const replacements = (refs: readonly string[]): readonly unknown[] => [
  null,
  '',
  0,
  -1,
  1e308,
  true,
  [],
  {},
  ['x'],
  '\u0000\ud800',
  'x'.repeat(20_000),
  '__proto__',
  '9999-99-99T99:99:99Z',
  ...refs,
  ...refs.map(ref => `Work\n\nSpecboard: ${ref}`),
]

const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!

/** A copy about commits and a pull request of its own, with some other values; texts often name a record of a board. */
function mutated(example: object, refs: readonly string[], number: number): unknown {
  const values = replacements(refs)
  const ownSha = (sha: string) => createHash('sha1').update(`${sha} ${number}`).digest('hex')
  return JSON.parse(JSON.stringify(example), (key, value) => {
    if (key !== '' && Math.random() < 0.02) return oneOf(values)
    if (key === 'number') return number + 1
    if (/^[0-9a-f]{40}$/.test(String(value))) return ownSha(String(value))
    return /^(?:message|title|body)$/.test(key) && Math.random() < 0.5 ? `${oneOf(refs)} ${String(value)}` : value
  })
}

/** The number of events by outcome; an event at which the service failed is tried again, and is not counted. */
async function outcomes(client: Client, repositories: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const repository_id of repositories)
    for (const status of ['done', 'ignored', 'failed'] as const) {
      const { total } = await client.listForgeDeliveries({ repository_id, status, limit: 1 })
      counts[status] = (counts[status] ?? 0) + total
    }
  return counts
}

/** How many links the changes of a board have, and how many of them lead out of it. */
async function linksOf(client: Client, { id: board_id, cardId }: BoardWithCard) {
  let links = 0
  let outside = 0
  for (let offset = 0; ; offset += 200) {
    const { items } = await client.listChanges({ board_id, limit: 200, offset })
    for (const change of items)
      for (const { id } of change.links ?? []) {
        links++
        if (id !== cardId) outside++
      }
    if (items.length < 200) return { links, outside }
  }
}

/** Checks that other boards have no change, and that their cards show none. */
async function nothingOn(lab: Lab, client: Client, { id: board_id, cardId }: BoardWithCard): Promise<void> {
  const { total } = await client.listChanges({ board_id, limit: 1 })
  const { changes } = await client.getCard({ card_id: cardId })
  lab.report.expect(total === 0 && changes === null, 'a card of another board was linked to a change')
}
