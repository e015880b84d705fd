/**
 * Recomputes the analytics of a real board from its records, read one by one through the typed client, and
 * compares: a loaded backlog that lived for a while, or a board of a running server.
 *
 * Usage: node tools/analytics-check.ts [--url URL --key KEY --board ID] [file]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { type Client, createClient } from '@specboard/client'
import { live } from './analytics-check/life.ts'
import * as naive from './analytics-check/naive.ts'
import { type Records, readRecords } from './analytics-check/records.ts'
import { readBacklog } from './backlog.ts'
import { startProduct } from './bench/processes.ts'
import { loadBacklog } from './load/load.ts'

const { values, positionals } = parseArgs({
  options: { url: { type: 'string' }, key: { type: 'string' }, board: { type: 'string' } },
  allowPositionals: true,
})

let differences = 0

const pick = (record: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))

if (values.url !== undefined && values.board !== undefined) {
  const key = values.key ?? process.env.SPECBOARD_API_KEY ?? ''
  await check(createClient({ url: values.url, key }), values.board)
} else {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-analytics-'))
  const server = await startProduct(folder)
  try {
    const client = createClient({ url: server.url, key: server.key! })
    const { boardId } = await loadBacklog(client, readBacklog(positionals[0]))
    await live(client, boardId)
    await check(client, boardId)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
if (differences > 0) process.exitCode = 1

/** Compares every analytics answer of a board with what its records say. */
async function check(client: Client, board_id: string): Promise<void> {
  const at = { board_id }
  const records = await readRecords(client, board_id)
  const { cards, specs, sprints } = records
  console.log(
    `${specs.length} specs, ${sprints.length} sprints, ${cards.length} cards, ${cards.flatMap(card => card.validations).length} task validations`,
  )
  same('funnel', await client.getFunnelAnalytics(at), naive.funnel(records))
  same('quality', await client.getQualityAnalytics(at), naive.quality(records))
  same('coverage', (await client.getCoverageAnalytics(at)).items, naive.coverage(records))
  same('validations', await client.getValidationAnalytics(at), naive.validations(records))
  same('sprints', await client.getSprintsAnalytics(at), naive.sprints(records))
  same('agents', (await client.getAgentAnalytics(at)).items, naive.agents(records))
  const { blockers } = await client.getBlockersAnalytics(at)
  same('blockers', blockers.map(nameOf), naive.blockers(records))
  const { buckets, completed_cards } = await client.getVelocityAnalytics(at)
  const weeks = buckets.flatMap(bucket => ('week' in bucket ? [bucket.week] : []))
  same('velocity', buckets, naive.velocity(records, weeks))
  same(
    'completed cards',
    completed_cards,
    naive.velocity(records, weeks).reduce((sum, row) => sum + row.impl + row.test + row.bug, 0),
  )
  await checkOverview(client, records)
  await checkEach(client, records)
  console.log(differences === 0 ? 'All figures agree with the records.' : `${differences} answers differ.`)
}

async function checkOverview(client: Client, records: Records): Promise<void> {
  const answer = await client.getAnalyticsOverview()
  if (answer.boards.length > 1) return
  const { bug_rates, ...expected } = naive.overview(records)
  same('overview', pick(answer, Object.keys(expected)), expected)
  same('bug rates', answer.bug_rate_per_spec.map(row => `${row.rate} ${row.bugs} ${row.spec_id}`).sort(), bug_rates)
}

/** Each spec, sprint and card on its own. */
async function checkEach(client: Client, { boardId: board_id, specs, sprints, cards }: Records): Promise<void> {
  for (const spec of specs) {
    const { task_validation_summary, cards_summary } = await client.getSpecAnalytics({ board_id, spec_id: spec.id })
    const own = cards.filter(card => card.spec_id === spec.id)
    same(`spec ${spec.id}`, task_validation_summary, naive.taskGate(own))
    same(`spec ${spec.id} cards`, cards_summary.total, own.length)
  }
  for (const sprint of sprints) {
    const own = cards.filter(card => card.sprint_id === sprint.id)
    const answer = await client.getSprintAnalytics({ board_id, sprint_id: sprint.id })
    same(`sprint ${sprint.id}`, answer.task_validation_gate, naive.taskGate(own))
    const figures = await client.getEntityAnalytics({ board_id, entity_type: 'sprint', entity_id: sprint.id })
    if ('tasks_total' in figures) same(`sprint ${sprint.id} tasks`, figures.tasks_total, own.length)
  }
  for (const card of cards.slice(0, 50)) {
    const figures = await client.getEntityAnalytics({ board_id, entity_type: 'card', entity_id: card.id })
    if ('validations' in figures)
      same(`card ${card.id}`, [figures.conclusions, figures.validations], [card.conclusions, card.validations])
  }
}

function nameOf(blocker: Awaited<ReturnType<Client['getBlockersAnalytics']>>['blockers'][number]): string {
  if (blocker.type === 'dependency_blocked')
    return `${blocker.type} ${blocker.card_id} ${blocker.evidence.blocking_cards.map(card => card.id).join()}`
  if (blocker.type === 'uncovered_scenario') return `${blocker.type} ${blocker.spec_id} ${blocker.scenario_id}`
  return `${blocker.type} ${'card_id' in blocker ? blocker.card_id : blocker.spec_id}`
}

/** Compares a figure; a difference is printed, whole lists by their first member that differs. */
function same(name: string, answered: unknown, expected: unknown): void {
  if (isDeepStrictEqual(answered, expected)) return
  differences++
  console.error(`${name} differs: ${firstDifference(answered, expected, '')}`)
}

function firstDifference(a: unknown, b: unknown, path: string): string {
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [left, right] = [Reflect.get(a, key), Reflect.get(b, key)]
      if (!isDeepStrictEqual(left, right)) return firstDifference(left, right, `${path}.${key}`)
    }
  }
  return `${path || 'it'} is ${JSON.stringify(a)?.slice(0, 200)}, the records say ${JSON.stringify(b)?.slice(0, 200)}`
}
