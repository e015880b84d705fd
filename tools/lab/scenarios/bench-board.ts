/**
 * Measures how people find their way on boards: the allowed moves of a card and a spec with everything that blocks
 * them; the inbox over many boards; searches among all records.
 */
import type { Client } from '@specboard/client'
import { fill } from '../data/fill.ts'
import { makeBoards } from '../data/first-records.ts'
import { giveLongProjects } from '../data/long-projects.ts'
import { fillSearched, word } from '../data/searched-cards.ts'
import type { Lab } from '../harness/lab.ts'
import { scenario } from '../harness/scenario.ts'
import { sum } from '../harness/statistics.ts'
import { measureCalls } from '../load/measured.ts'

/** What a call may take at the median (board 1, board 3, board 4). */
const goals = { inbox: '≤ 30', moves: '≤ 2', search: '≤ 25' }

export default scenario({
  summary: 'moves of a card and a spec, the inbox on many boards, searches among many records',
  options: { boards: 50, cards: 10_000, records: 100_000, warmUp: 2_000 },
  short: { boards: 3, cards: 200, records: 2_000, warmUp: 100 },
  run: async (lab, options) => {
    await reportMoves(lab, options.warmUp)
    await reportInbox(lab, options)
    await reportSearch(lab, options.records)
  },
})

const [dependencies, scenarios] = [20, 50]

/** A spec with scenarios that name its criteria, and a card that waits for others. */
async function makeJudged(client: Client): Promise<{ spec_id: string; card_id: string }> {
  const { id: board_id } = await client.createBoard({ name: 'Moves', description: '' })
  const criteria = Array.from({ length: scenarios }, (_, index) => `Criterion ${index}`)
  const { id: spec_id } = await client.createSpec({
    board_id,
    title: 'Spec',
    status: 'in_progress',
    acceptance_criteria: criteria,
    test_scenarios: criteria.map((title, index) => ({ id: `s${index}`, title, linked_criteria: [String(index)] })),
  })
  const card = async (title: string) => (await client.createCard({ board_id, spec_id, title })).id
  const card_id = await card('Waits')
  for (let index = 0; index < dependencies; index++)
    await client.addCardDependency({ card_id, depends_on_id: await card(`Awaited ${index}`) })
  return { spec_id, card_id }
}

async function reportMoves(lab: Lab, warmUp: number): Promise<void> {
  const server = await lab.start('moves')
  const { spec_id, card_id } = await makeJudged(server.client)
  for (const [label, entity_type, entity_id] of [
    [`card with ${dependencies} dependencies`, 'card', card_id],
    [`spec with ${scenarios} scenarios`, 'spec', spec_id],
  ] as const) {
    const call = () => server.client.getAllowedMoves({ entity_type, entity_id })
    // In a running service, their code has been optimised.
    for (let round = 0; round < warmUp; round++) await call()
    await measureCalls(lab.report, server, `allowed moves, ${label}`, call, { goal: goals.moves })
  }
  await server.stop()
}

/** The inbox of somebody who sees many boards, each of a long project. */
async function reportInbox(lab: Lab, { boards, cards }: { boards: number; cards: number }): Promise<void> {
  const seeded = await lab.with('inbox', ({ client }) => makeBoards(client, boards))
  // Of ten records of a filled board five are cards.
  giveLongProjects(lab.path('inbox'), await fill(lab.place('inbox'), seeded, 2 * cards))
  const server = await lab.start('inbox')
  // The module of the inbox is loaded with its first call, in a thread of its own.
  const { counts } = await server.client.listMyInbox({ limit: 1 })
  lab.report.say(`${sum(Object.values(counts))} things wait on ${boards} boards of ${cards} cards`)
  const { board_id } = seeded[0]!
  const inbox = (query: object) => () => server.client.listMyInbox(query)
  await measureCalls(lab.report, server, 'list_my_inbox', inbox({}), { goal: goals.inbox })
  await measureCalls(lab.report, server, 'list_my_inbox, one board', inbox({ board_id }))
  await measureCalls(lab.report, server, 'get_board_overview', () => server.client.getBoardOverview({ board_id }))
  await server.stop()
}

const searches: readonly (readonly [what: string, fields: Parameters<Client['searchRecords']>[0]])[] = [
  ['two words', { q: `${word(900)} ${word(40)}` }],
  ['a word in one of fifty', { q: word(500) }],
  ['a word in all', { q: 'everywhere' }],
  ['the beginning of a word', { q: word(700).slice(0, 2) }],
  ['one letter', { q: 'e' }],
  ['no word, one status', { q: '', status: 'started' }],
  ['a reference', { q: 'SEA-500' }],
]

/** Searches among many records, and the slowest answer of `/health` at the same time. */
async function reportSearch(lab: Lab, records: number): Promise<void> {
  await fillSearched(lab, 'search', records)
  const server = await lab.start('search')
  const watch = lab.watch(server)
  const { ms } = await server.taken(() => server.client.searchRecords({ q: 'first' }))
  const slowest = async () => ({ '/health at most ms': (await watch.times()).slowest })
  lab.report.figure(`search_records, the first, which indexes ${records} records`, {
    s: ms / 1_000,
    ...(await slowest()),
  })
  for (const [label, fields] of searches)
    await measureCalls(lab.report, server, `search_records, ${label}`, () => server.client.searchRecords(fields), {
      goal: goals.search,
    })
  lab.report.figure('searches', await slowest())
}
