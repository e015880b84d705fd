/**
 * Measures git: `specboard git sync` and hooks, webhooks of a forge and their effect on a card, a full queue, and lists
 * and moves of a card on a board with many changes.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@specboard/client'
import type { Lab } from '../harness/lab.ts'
import { scenario } from '../harness/scenario.ts'
import { mainFile, type Service } from '../harness/service.ts'
import { p50, percentile, timed } from '../harness/statistics.ts'
import { drained, eventsOfMinute, openedPull, registered, sendSigned, shaOf } from '../load/forge-events.ts'
import { measureCalls } from '../load/measured.ts'

/** The promised limits, ms. */
const goals = {
  answer: '≤ 50',
  effect: '≤ 1,000',
  list: '≤ 25',
  gates: '≤ 5',
  sync: '≤ 5,000',
  again: '≤ 300',
  hook: '≤ 15',
}

export default scenario({
  summary: 'git sync, hooks, webhooks of a forge, and lists and moves of a card beside many changes',
  options: { commits: 100_000, pulls: 5_000, events: 200, rounds: 60 },
  short: { commits: 1_000, pulls: 50, events: 20, rounds: 3 },
  engines: ['sqlite', 'postgres'],
  run: async (lab, { commits, pulls, events, rounds }) => {
    const server = await lab.start()
    await clone(lab, server, Math.min(2_000, commits), Math.min(rounds, 10))
    const forge = await Forge.on(server)
    await webhooks(lab, forge, events)
    await forge.fill(commits, pulls)
    const { client } = server
    const list = () => client.listChanges({ board_id: forge.boardId, record: forge.cardId })
    const beside = `${commits.toLocaleString('en')} commits, ${pulls.toLocaleString('en')} pull requests`
    lab.report.say(beside)
    await measureCalls(lab.report, server, 'list_changes of a card', list, { rounds, goal: goals.list })
    await gates(lab, client, forge, rounds)
  },
})

/** `git sync` and hooks in a clone. */
async function clone(lab: Lab, { client, url, key }: Service, commits: number, rounds: number): Promise<void> {
  const board = await client.createBoard({ name: 'Clone', description: '' })
  const { ref } = await client.createCard({ board_id: board.id, title: 'Card' })
  const folder = lab.path('clone')
  execFileSync('git', ['init', '-q', '-b', 'main', folder])
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: stream(commits, ref) })
  execFileSync('git', ['reset', '-q', '--hard', 'main'], { cwd: folder })
  const env = { ...process.env, SPECBOARD_URL: url, SPECBOARD_API_KEY: key! }
  const run = (command: string, ...args: readonly string[]) =>
    timed(() => {
      const { status, stderr } = spawnSync(command, args, { cwd: folder, env })
      if (status !== 0) throw new Error(String(stderr))
    })
  const specboard = (...args: readonly string[]) => run(process.execPath, mainFile(), ...args, '--board', board.key)
  const first = await specboard('git', 'sync', '--create', '--all')
  const again: number[] = []
  for (let round = 0; round < rounds; round++) again.push(await specboard('git', 'sync'))
  await specboard('git', 'install-hooks')
  const hooked: number[] = []
  for (let round = 0; round < rounds; round++) hooked.push(await run(join(folder, '.git/hooks/post-commit')))
  lab.report.figure(`git sync of ${commits} commits`, { ms: first, goal: goals.sync })
  lab.report.times('git sync of nothing new', again, { goal: goals.again })
  lab.report.times('a hook', hooked, { goal: goals.hook })
}

/** A number of commits, as `git fast-import` reads them; every hundredth names a card. */
function stream(count: number, ref: string): string {
  const began = Math.floor(Date.now() / 1_000) - count
  const commits = Array.from({ length: count }, (_, index) => {
    const subject = index % 100 === 0 ? `${ref} step ${index}` : `Step ${index}`
    const text = `step ${index}\n`
    const committer = `committer Ada <ada@example.com> ${began + index} +0000`
    const file = `M 644 inline file-${index % 50}\ndata ${text.length}\n${text}`
    return `commit refs/heads/main\n${committer}\ndata ${subject.length}\n${subject}\n${file}`
  })
  return commits.join('\n')
}

/** A repository whose forge sends events, and others of its board. */
class Forge {
  readonly #url: string
  readonly #client: Client
  readonly boardId: string
  readonly repositoryId: string
  readonly cardId: string
  readonly ref: string

  private constructor({ url, client }: Service, ids: Pick<Forge, 'boardId' | 'repositoryId' | 'cardId' | 'ref'>) {
    this.#url = url
    this.#client = client
    this.boardId = ids.boardId
    this.repositoryId = ids.repositoryId
    this.cardId = ids.cardId
    this.ref = ids.ref
  }

  static async on(server: Service): Promise<Forge> {
    const { client } = server
    const { id: boardId } = await client.createBoard({ name: 'Forge', description: '' })
    const [repositoryId] = await registered(client, boardId, 1)
    const { id: cardId, ref } = await client.createCard({ board_id: boardId, title: 'Card' })
    return new Forge(server, { boardId, repositoryId: repositoryId!, cardId, ref })
  }

  /** Opens a pull request by a signed event. */
  async open(number: number, title: string, repository = this.repositoryId): Promise<void> {
    const status = await sendSigned(this.#url, repository, 'pull_request', openedPull(number, title))
    if (status !== 202) throw new Error(`The event of pull request ${number} was answered ${status}.`)
  }

  /** Waits until a pull request is known. */
  async sees(number: number): Promise<void> {
    while ((await this.#client.listChanges({ board_id: this.boardId, number })).items.length === 0) await pause(5)
  }

  /** Waits until nothing is queued. */
  drained(): Promise<void> {
    return drained(this.#client, this.repositoryId)
  }

  /**
   * Fills the board; every thousandth commit and every hundredth pull request name the card. Pull requests are those of
   * several repositories, because one may send 600 events a minute.
   */
  async fill(commits: number, pulls: number): Promise<void> {
    const { boardId: board_id, repositoryId: repository_id } = this
    for (let from = 0; from < commits; from += 500)
      await this.#client.recordChanges({
        board_id,
        repository_id,
        commits: Array.from({ length: Math.min(500, commits - from) }, (_, index) => ({
          sha: shaOf(from + index + 1),
          parents: [shaOf(from + index)],
          subject: (from + index) % 1_000 === 0 ? `${this.ref} step` : 'Step',
          committed_at: new Date().toISOString(),
        })),
      })
    const others = await registered(this.#client, board_id, Math.ceil(pulls / eventsOfMinute))
    for (let number = 1; number <= pulls; number++)
      await this.open(
        10_000 + number,
        number % 100 === 0 ? `${this.ref} again` : 'Another thing',
        others[number % others.length],
      )
    for (const other of others) await drained(this.#client, other)
  }
}

/** Sends 50 events a second, and measures when the card shows them. */
async function webhooks(lab: Lab, forge: Forge, events: number): Promise<void> {
  const answered: number[] = []
  const effects: number[] = []
  for (let number = 1; number <= events; number++) {
    const next = pause(20)
    answered.push(await timed(() => forge.open(number, `${forge.ref} part ${number}`)))
    if (number % 20 === 0) effects.push(await timed(() => forge.sees(number)))
    await next
  }
  lab.report.times('a webhook, 50 a second', answered, { 'p95 ms': percentile(answered, 0.95), goal: goals.answer })
  lab.report.times('its effect after that', effects, { goal: goals.effect })
  await forge.drained()
}

/** Moves of a card with the gates `change` and `checks`, and without. */
async function gates(lab: Lab, client: Client, { boardId: board_id, repositoryId, ref }: Forge, rounds: number) {
  const { id: card_id, ref: own } = await client.createCard({ board_id, title: `After ${ref}` })
  await client.recordChanges({
    board_id,
    repository_id: repositoryId,
    commits: [{ sha: shaOf(0xabcdef), subject: `${own} all`, committed_at: new Date().toISOString() }],
  })
  const settings = (on: boolean) => ({ require_merged_change: on, require_green_checks: on })
  const took: [number[], number[]] = [[], []]
  for (let round = -3; round < rounds; round++)
    for (const on of [false, true]) {
      await client.updateBoard({ board_id, settings: settings(on) })
      const ms = await timed(() => client.getAllowedMoves({ entity_type: 'card', entity_id: card_id }))
      if (round >= 0) took[Number(on)]!.push(ms)
    }
  const [without, both] = [p50(took[0]), p50(took[1])]
  lab.report.figure('allowed moves of a card with gates change and checks', {
    'without ms': without,
    'with ms': both,
    'added ms': both - without,
    goal: goals.gates,
  })
}
