/**
 * Measures git: `specboard git sync` and hooks, webhooks of a forge and what they do to a card, a full queue, and lists
 * and moves of a card beside many changes.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@specboard/client'
import type { Lab } from '../harness/lab.ts'
import { scenario } from '../harness/scenario.ts'
import { mainFile, type Service } from '../harness/service.ts'
import { p50, percentile, timed } from '../harness/statistics.ts'
import { measureCalls } from '../load/measured.ts'

const secret = 'a secret of a benchmark'

/** What is promised, ms. */
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

/** So many commits, as `git fast-import` reads them; every hundredth names a card. */
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

const sha = (number: number): string => number.toString(16).padStart(40, '0')

/** How many events a minute a repository may send, with some to spare. */
const ofMinute = 590

/** A repository whose forge sends events. */
class Forge {
  readonly #url: string
  readonly #client: Client
  #sent = 0
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
    const url = 'https://github.com/acme/shop'
    const { id: repositoryId } = await client.createRepository({ board_id: boardId, url, webhook_secret: secret })
    const { id: cardId, ref } = await client.createCard({ board_id: boardId, title: 'Card' })
    return new Forge(server, { boardId, repositoryId, cardId, ref })
  }

  /** Opens a pull request by a signed event. */
  async open(number: number, title: string): Promise<void> {
    if (this.#sent === ofMinute) {
      await pause(60_000)
      this.#sent = 0
    }
    this.#sent++
    const repository = { id: 1, full_name: 'acme/shop', default_branch: 'main' }
    const pull_request = {
      number,
      state: 'open',
      title,
      draft: false,
      merged: false,
      updated_at: new Date().toISOString(),
      head: { ref: `work-${number}`, sha: sha(1_000_000 + number), repo: { full_name: 'acme/shop' } },
      base: { ref: 'main', sha: sha(0), repo: { full_name: 'acme/shop' } },
    }
    const body = JSON.stringify({ action: 'opened', repository, pull_request })
    const answer = await fetch(`${this.#url}/hooks/forge/${this.repositoryId}`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'pull_request',
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
    })
    if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`)
    await answer.body?.cancel()
  }

  /** Waits until a pull request is known. */
  async sees(number: number): Promise<void> {
    while ((await this.#client.listChanges({ board_id: this.boardId, number })).items.length === 0) await pause(5)
  }

  /** Waits until nothing is queued. */
  async drained(): Promise<void> {
    const { repositoryId: repository_id } = this
    const waiting = () => this.#client.listForgeDeliveries({ repository_id, status: 'queued', limit: 1 })
    while ((await waiting()).items.length > 0) await pause(10)
  }

  /** Fills the repository; every thousandth commit names the card. Pull requests come as fast as the forge may send. */
  async fill(commits: number, pulls: number): Promise<void> {
    const { boardId: board_id, repositoryId: repository_id } = this
    for (let from = 0; from < commits; from += 500)
      await this.#client.recordChanges({
        board_id,
        repository_id,
        commits: Array.from({ length: Math.min(500, commits - from) }, (_, index) => ({
          sha: sha(from + index + 1),
          parents: [sha(from + index)],
          subject: (from + index) % 1_000 === 0 ? `${this.ref} step` : 'Step',
          committed_at: new Date().toISOString(),
        })),
      })
    for (let number = 1; number <= pulls; number++) await this.open(10_000 + number, 'Another thing')
    await this.drained()
  }
}

/** Events at 50 a second, and when the card shows them. */
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
    commits: [{ sha: sha(0xabcdef), subject: `${own} all`, committed_at: new Date().toISOString() }],
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
