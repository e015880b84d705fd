/**
 * Measures hooks and scopes: the time of report_hook for each event, the effect of many sessions, the time of the whole
 * hook program compared with an empty node process, and the cost that live scopes add to lists and claims (harness 3.1,
 * 5).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '@specboard/client'
import { root } from '../../package/root.ts'
import { inParallel } from '../harness/in-parallel.ts'
import type { Lab } from '../harness/lab.ts'
import { scenario } from '../harness/scenario.ts'
import type { Service } from '../harness/service.ts'
import { p50, percentile, ratio, timed } from '../harness/statistics.ts'
import { HookCrowd, type HookReport } from '../load/hook-crowd.ts'

const hookProgram = join(root, 'integrations/claude-code/bin/hook.mjs')

/** The measured events, with what a client reports of each. */
const events: Readonly<Record<string, HookReport>> = {
  session_start: { source: 'startup' },
  prompt: {},
  before_edit: { paths: ['src/part7/a.ts'] },
  before_shell: { command: 'npm test', tool_call: 'call' },
  after_shell: { command: 'npm test', tool_call: 'call', exit_code: 0, duration_ms: 10 },
  claimed: { claimed: [] },
  before_compact: { note: 'On main, 3 files changed.' },
  stop: { stop_active: false },
  subagent_start: { subagent: 'sub' },
  session_end: { reason: 'exit' },
}

const repository = 'https://example.com/team/shop.git'

/** Working agents, each with a session, whose claims have different patterns. */
interface Crew {
  readonly boardId: string
  readonly boardKey: string
  readonly agents: readonly { readonly client: Client; readonly key: string }[]
}

interface Size {
  readonly cards: number
  readonly claims: number
  readonly agents: number
  readonly patterns: number
  readonly inbox: number
}

async function makeCrew({ report }: Lab, { client, url }: Service, name: string, size: Size): Promise<Crew> {
  const { id: board_id, key: boardKey } = await client.createBoard({ name, description: '' })
  await client.updateBoard({ board_id, settings: { overlap: 'off' } })
  const { id: spec_id } = await client.createSpec({ board_id, status: 'in_progress', title: 'Spec' })
  const agents = await inParallel(Array.from({ length: size.agents }), 8, async (_, index) => {
    const { api_key } = await client.createAgent({
      name: `${name} ${index}`,
      preset_id: 'Executor',
      board_ids: [board_id],
    })
    return { client: createClient({ url, key: api_key! }), key: api_key! }
  })
  const paths = (index: number) =>
    Array.from({ length: size.patterns }, (_, place) => `src/part${index}/${place}/**/*.{ts,tsx}`)
  const claimedCards = await inParallel(Array.from({ length: size.claims }), 16, async (_, index) => {
    const { id } = await client.createCard({ board_id, spec_id, title: `Held ${index}`, paths: paths(index) })
    await agents[index % agents.length]!.client.claimCard({ card_id: id, lease_seconds: 3_600 })
    return id
  })
  await inParallel(Array.from({ length: size.cards - size.claims }), 16, async (_, index) =>
    client.createCard({ board_id, spec_id, title: `Card ${index}`, ...(index < 200 && { paths: paths(index) }) }),
  )
  await inParallel(Array.from({ length: size.inbox }), 16, (_, index) =>
    client.askQuestion({ record: claimedCards[index % claimedCards.length]!, question: `Which one, ${index}?` }),
  )
  // Compares all live scopes at once.
  const took = await timed(() => client.updateBoard({ board_id, settings: { overlap: 'warn' } }))
  report.figure(`${size.claims} scopes of ${size.patterns} patterns, compared at once`, { ms: took })
  return { boardId: board_id, boardKey, agents }
}

/** The time of each event, over HTTP on an open connection. */
async function measureEvents(lab: Lab, service: Service, { agents, boardId }: Crew, calls: number): Promise<void> {
  const session = (index: number) => `session-${index % agents.length}`
  for (const [event, more] of Object.entries(events)) {
    const took: number[] = []
    const before = service.processorMs
    for (let index = 0; index < calls; index++) {
      const { client } = agents[index % agents.length]!
      const fields = { session: session(index), client: 'claude-code', board_id: boardId, repository, ...more }
      took.push(await timed(() => client.reportHook({ event, ...fields })))
    }
    // A busy machine increases latency, but hardly processor time.
    const processor = (service.processorMs - before) / calls
    const goal = event === 'session_start' ? '≤ 30' : '≤ 15'
    lab.report.times(`report_hook ${event}`, took, { 'processor ms': processor, goal })
  }
}

/** The time of a program from start to end, with a text on its input. */
const programTime = (args: readonly string[], input: string, env: NodeJS.ProcessEnv): Promise<number> =>
  timed(async () => {
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    await once(child, 'close')
  })

/**
 * The time of the whole program compared with an empty node process, in turns: with the service, without it, and once
 * it knows that it is missing.
 */
async function measureProgram(lab: Lab, { url }: Service, { agents, boardKey }: Crew, rounds: number): Promise<void> {
  const folder = lab.path('project')
  mkdirSync(folder, { recursive: true })
  const environment = (address: string, state: string): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: lab.path('home'),
    SPECBOARD_API_KEY: agents[0]!.key,
    SPECBOARD_URL: address,
    SPECBOARD_BOARD: boardKey,
    SPECBOARD_STATE_DIR: lab.path(state),
  })
  writeFileSync(join(folder, '.specboard.json'), JSON.stringify({ url, board: boardKey }))
  const input = JSON.stringify({ session_id: 'whole', cwd: folder, hook_event_name: 'Stop', stop_hook_active: false })
  const hook = [hookProgram, 'stop', '--client', 'claude-code']
  const took = { empty: [] as number[], up: [] as number[], away: [] as number[], marked: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    took.empty.push(await programTime(['-e', '0'], '', environment(url, 'state')))
    took.up.push(await programTime(hook, input, environment(url, 'state')))
    // A state of its own each time: the mark of a failed request keeps the next one from trying.
    const nobody = environment('http://127.0.0.1:9', `away-${round}`)
    took.away.push(await programTime(hook, input, nobody))
    took.marked.push(await programTime(hook, input, nobody))
  }
  const empty = percentile(took.empty, 0.95)
  const above = (times: readonly number[]) => ({ 'p95 above an empty node ms': percentile(times, 0.95) - empty })
  lab.report.times('an empty node', took.empty)
  lab.report.times('the hook program', took.up, { ...above(took.up), goal: '≤ 150, 90 above' })
  lab.report.times('nothing listens', took.away, { goal: '≤ 300' })
  lab.report.times('… and the next ones', took.marked, { ...above(took.marked), goal: '20 above' })
}

/** The latency of calls, and the processor time of the service. */
class Taken {
  readonly times: number[] = []
  #processor = 0
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  async call(run: () => Promise<unknown>): Promise<void> {
    const before = this.#service.processorMs
    this.times.push(await timed(run))
    this.#processor += this.#service.processorMs - before
  }

  get processor(): number {
    return this.#processor / this.times.length
  }
}

/** Events a second of each session of a crowd. */
const crowdPace = 5

/** How much concurrently reporting sessions slow each other, and the writes of others, in turns with none. */
async function measureCrowd(
  { report }: Lab,
  service: Service,
  { agents, boardId }: Crew,
  sessions: number,
): Promise<void> {
  const { session_start: _, session_end: __, ...during } = events
  const entries = Object.entries(during).map(([event, more]) => [
    event,
    { client: 'claude-code', board_id: boardId, repository, ...more },
  ])
  const clients = agents.slice(0, Math.ceil(sessions / 4)).map(({ client }) => client)
  const crowd = new HookCrowd(clients, sessions, crowdPace, Object.fromEntries(entries))
  const { id: other } = await service.client.createBoard({ name: 'Others', description: '' })
  const { id: card_id } = await service.client.createCard({ board_id: other, title: 'Of others' })
  const writes = async (took: number[]) => {
    for (let write = 0; write < 25; write++) {
      took.push(await timed(() => service.client.createComment({ card_id, content: 'Written beside it' })))
      await pause(40)
    }
  }
  const took = { alone: [] as number[], beside: [] as number[] }
  let paces = 0
  for (let turn = 0; turn < crowdTurns; turn++) {
    await writes(took.alone)
    const [began, before] = [performance.now(), crowd.took.length + crowd.refused]
    crowd.begin()
    await writes(took.beside)
    paces += await crowd.end(performance.now() - began, before)
  }
  report.times(`report_hook of ${sessions} sessions`, crowd.took, {
    'events a second': paces / crowdTurns,
    refused: crowd.refused,
    goal: '≤ 15',
  })
  report.times('writes of others, alone', took.alone)
  report.times('writes of others, beside them', took.beside, {
    'at the median': ratio(p50(took.beside), p50(took.alone), 2),
    goal: '≤ 1.1 ×',
  })
}

const crowdTurns = 4

/** The cost of live scopes: the same calls with the comparison off and on, in turns. */
async function measureOverlaps(lab: Lab, service: Service, { agents, boardId: board_id }: Crew, rounds: number) {
  const { client } = agents[0]!
  const measurements = () => ({ off: new Taken(service), warn: new Taken(service) })
  const calls = { list_ready_cards: measurements(), claim_card: measurements() }
  const { items } = await client.listReadyCards({ board_id, limit: 200 })
  const free = items.filter(({ paths }) => paths.length > 0)
  for (let round = 0; round < rounds; round++)
    for (const overlap of ['off', 'warn'] as const) {
      await service.client.updateBoard({ board_id, settings: { overlap } })
      await client.listReadyCards({ board_id, limit: 50 })
      await calls.list_ready_cards[overlap].call(() => client.listReadyCards({ board_id, limit: 50 }))
      const card_id = free[round % free.length]!.id
      await calls.claim_card[overlap].call(() => client.claimCard({ card_id }))
      await client.releaseClaim({ card_id })
    }
  for (const [name, { off, warn }] of Object.entries(calls)) {
    lab.report.times(`${name}, scopes not compared`, off.times, { 'processor ms': off.processor })
    lab.report.times(`${name}, scopes compared`, warn.times, {
      'processor ms': warn.processor,
      'added at the median ms': p50(warn.times) - p50(off.times),
      goal: '+ ≤ 10',
    })
  }
}

export default scenario({
  summary: 'what hooks take, and what live scopes add to lists and claims',
  engines: ['sqlite', 'postgres'],
  options: { cards: 10_000, calls: 500, programs: 60, scopes: 500, patterns: 50, rounds: 40, sessions: 100 },
  short: { cards: 60, calls: 4, programs: 2, scopes: 6, patterns: 3, rounds: 2, sessions: 4 },
  run: async (lab, { cards, calls, programs, scopes, patterns, rounds, sessions }) => {
    const service = await lab.start()
    const size = {
      cards,
      claims: Math.min(50, cards),
      agents: Math.min(50, cards),
      patterns: 5,
      inbox: Math.min(500, cards),
    }
    const crew = await makeCrew(lab, service, 'Hooks', size)
    await measureEvents(lab, service, crew, calls)
    await measureCrowd(lab, service, crew, sessions)
    await measureProgram(lab, service, crew, programs)
    const claimed = { cards: scopes + 200, claims: scopes, agents: Math.min(50, scopes), patterns, inbox: 0 }
    await measureOverlaps(lab, service, await makeCrew(lab, service, 'Scopes', claimed), rounds)
  },
})
