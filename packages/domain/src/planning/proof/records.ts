/** What proves cards, specs and sprints: read, and judged by what their board asks (evidence 7). */
import { type RawBuilder, sql } from 'kysely'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { workOn } from '../review/participants.ts'
import type { Participation } from '../review/rules.ts'
import { Coverage } from './coverage.ts'
import { type Printed, printOf } from './results.ts'
import {
  type JudgedItem,
  judgeSubject,
  type ProofSettings,
  type Result,
  type Subject,
  type Uncovered,
} from './rules.ts'
import type { Judged, Tier } from './tiers.ts'

/** The fields of a card that its proof depends on. */
export interface ProvenCard {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: string
  readonly test_scenario_ids: readonly string[]
  readonly validation_stay: number
}

/** The fields of a scenario that its proof depends on. */
export interface ProvenScenario extends Printed {
  readonly id: string
  readonly scenario_type: string
  readonly status: string
  readonly latest_evidence: { readonly last_run_at?: unknown } | null
}

/** The fields of a spec that its proof depends on. */
export interface ProvenSpec {
  readonly id: string
  readonly ref: string
  readonly updated_at: string
  readonly test_scenarios: readonly ProvenScenario[] | null
}

/** The fields of a sprint that its proof depends on. */
export interface ProvenSprint {
  readonly id: string
  readonly test_scenario_ids: readonly string[] | null
}

/** What proves a record, item by item. */
export type RecordProof = readonly JudgedItem[]

/** A result as it is stored, with what its report or run tested. */
interface StoredResult {
  scenario_id: string
  tier: Tier
  tier_reason: Judged['tier_reason']
  status: string
  seen_by: string | null
  commit_sha: string | null
  tested_commit: string | null
  tree: string | null
  repository_id: string | null
  report_id: string | null
  run_id: string | null
  is_flaky: Flag
  print: string
  made_at: string
}

const resultsOfSpec = hot<{ spec: string }, StoredResult>(
  (_, param) => sql<StoredResult>`select s.scenario_id, s.tier, s.tier_reason, s.status, s.seen_by, s.commit_sha,
      t.tested_commit, coalesce(t.tree, p.tree) as tree, s.repository_id, s.report_id, s.run_id, s.is_flaky, s.print,
      s.made_at
    from scenario_results s left join test_reports t on t.id = s.report_id left join proof_runs p on p.id = s.run_id
    where s.spec_id = ${param('spec')}`,
)

type CardResult = Omit<StoredResult, 'scenario_id' | 'print'>

const reportsOfCard = hot<{ card: string }, CardResult>(
  (_, param) => sql<CardResult>`select t.tier, t.tier_reason, t.outcome as status, t.seen_by, t.commit_sha,
      t.tested_commit, t.tree, t.repository_id, t.id as report_id, null as run_id,
      case when t.flaky > 0 then 1 else 0 end as is_flaky, t.created_at as made_at
    from report_records r join test_reports t on t.id = r.report_id
    where r.entity_id = ${param('card')} and t.outcome in ('passed', 'failed')`,
)

const runsOfCard = hot<{ card: string }, CardResult>(
  (_, param) => sql<CardResult>`select p.tier, p.tier_reason, p.status, p.seen_by,
      case when p.is_dirty = 1 then null else p.commit_sha end as commit_sha, null as tested_commit, p.tree,
      p.repository_id, null as report_id, p.id as run_id, 0 as is_flaky, p.finished_at as made_at
    from run_records r join proof_runs p on p.id = r.run_id
    where r.entity_id = ${param('card')} and p.status in ('passed', 'failed')`,
)

/** The last reports of the default branch, which speak for every card whose commits they cover (evidence 4, rule 8). */
const passedOnDefault = hot<{ repository: string }, CardResult>(
  (_, param) => sql<CardResult>`select t.tier, t.tier_reason, t.outcome as status, t.seen_by, t.commit_sha,
      t.tested_commit, t.tree, t.repository_id, t.id as report_id, null as run_id,
      case when t.flaky > 0 then 1 else 0 end as is_flaky, t.created_at as made_at
    from test_reports t join repositories r on r.id = t.repository_id
    where t.repository_id = ${param('repository')} and t.branch = r.default_branch and t.outcome = 'passed'
    order by t.created_at desc limit 20`,
)

const validationsOf = hot<{ card: string; stay: number }, { outcome: string; present: Flag; created_at: string }>(
  (db, param) =>
    db
      .selectFrom('task_validations')
      .select(['outcome', 'present', 'created_at'])
      .where('card_id', '=', param('card'))
      .where('stay', '=', param('stay'))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1),
)

const resultOf = (row: CardResult, isCurrent = true): Result & { readonly seen_by: string | null } => ({
  tier: row.tier,
  tier_reason: row.tier_reason,
  status: row.status as Result['status'],
  at: row.made_at,
  commit: row.commit_sha,
  tested_commit: row.tested_commit,
  tree: row.tree,
  repository_id: row.repository_id,
  report_id: row.report_id,
  run_id: row.run_id,
  flaky: row.is_flaky === 1,
  isCurrent,
  seen_by: row.seen_by,
})

type SeenResult = ReturnType<typeof resultOf>

/** Nobody vouches for itself by a key that it was shown (evidence 1, rule 3). */
async function lowered(
  db: Db,
  cards: RawBuilder<unknown>,
  results: readonly SeenResult[],
): Promise<(result: SeenResult) => Result> {
  if (!results.some(({ tier, seen_by }) => tier === 'ci' && seen_by !== null)) return result => result
  const { rows } = await sql<Participation>`select agent_id, role from ${workOn(cards)} work`.execute(db)
  const workers = new Set(rows.map(({ agent_id }) => agent_id))
  return result =>
    result.tier === 'ci' && result.seen_by !== null && workers.has(result.seen_by)
      ? { ...result, tier: 'observed', tier_reason: 'seen_by_worker' }
      : result
}

/** A scenario whose status nobody gave a result for: that is a word (evidence 7, rule 1). */
function asWord(
  { status, latest_evidence }: ProvenScenario,
  results: readonly SeenResult[],
  since: string,
): SeenResult[] {
  if ((status !== 'passed' && status !== 'failed') || results.some(each => each.status === status)) return []
  const said = latest_evidence?.last_run_at
  return [
    {
      tier: 'claimed',
      tier_reason: 'agent',
      status,
      at: typeof said === 'string' ? said : since,
      commit: null,
      tested_commit: null,
      tree: null,
      repository_id: null,
      report_id: null,
      run_id: null,
      flaky: false,
      isCurrent: true,
      seen_by: null,
    },
  ]
}

/** Scenarios of a spec as subjects. */
async function scenariosOf(db: Db, spec: ProvenSpec, ids: ReadonlySet<string> | null, cards: RawBuilder<unknown>) {
  const scenarios = (spec.test_scenarios ?? []).filter(({ id }) => ids === null || ids.has(id))
  if (scenarios.length === 0) return []
  const stored = (await resultsOfSpec(db, { spec: spec.id })).filter(
    ({ status }) => status === 'passed' || status === 'failed',
  )
  const prints = new Map(scenarios.map(scenario => [scenario.id, printOf(scenario)]))
  const results = Map.groupBy(
    stored.map(row => ({ id: row.scenario_id, result: resultOf(row, prints.get(row.scenario_id) === row.print) })),
    ({ id }) => id,
  )
  const lower = await lowered(
    db,
    cards,
    [...results.values()].flat().map(({ result }) => result),
  )
  return scenarios.map((scenario): Subject => {
    const own = (results.get(scenario.id) ?? []).map(({ result }) => result)
    return {
      kind: 'scenario',
      id: scenario.id,
      ref: `${spec.ref}/${scenario.id}`,
      title: scenario.title,
      isManual: scenario.scenario_type === 'manual',
      results: [...own, ...asWord(scenario, own, spec.updated_at)].map(lower),
    }
  })
}

/** A card without scenarios: its own reports and runs, or a person's validation (evidence 7, rule 1). */
async function ownSubject(db: Db, card: ProvenCard, coverage: Coverage): Promise<Subject> {
  const { id, ref, title, status, validation_stay } = card
  const told = [...(await reportsOfCard(db, { card: id })), ...(await runsOfCard(db, { card: id }))]
    .filter(row => status !== 'done' || row.status === 'passed')
    .map(row => resultOf(row))
  const later: SeenResult[] = []
  for (const repository of coverage.repositories)
    for (const row of await passedOnDefault(db, { repository })) {
      const result = resultOf(row)
      if ((await coverage.uncovered(result)).reason === null) later.push(result)
    }
  const lower = await lowered(db, sql`select ${id}`, [...told, ...later])
  const [validation] = await validationsOf(db, { card: id, stay: validation_stay })
  const answered = validation?.present === 1 ? [answerOf(validation)] : []
  return { kind: 'card', id, ref, title, isManual: false, results: [...[...told, ...later].map(lower), ...answered] }
}

const answerOf = ({ outcome, created_at }: { readonly outcome: string; readonly created_at: string }): Result => ({
  tier: 'person',
  tier_reason: 'person',
  status: outcome === 'success' ? 'passed' : 'failed',
  at: created_at,
  commit: null,
  tested_commit: null,
  tree: null,
  repository_id: null,
  report_id: null,
  run_id: null,
  flaky: false,
  isCurrent: true,
})

async function judged(subjects: readonly Subject[], settings: ProofSettings, coverage: Coverage): Promise<RecordProof> {
  const uncovered = new Map<Result, Uncovered>()
  for (const { results } of subjects)
    for (const result of results) uncovered.set(result, await coverage.uncovered(result))
  return subjects.map(subject => judgeSubject(subject, settings, result => uncovered.get(result)!))
}

/**
 * What proves a card.
 * @param spec the spec of the card; null where it has none
 */
export async function proofOfCard(
  db: Db,
  card: ProvenCard,
  spec: ProvenSpec | null,
  settings: ProofSettings,
): Promise<RecordProof> {
  const coverage = await Coverage.of(db, [card.id])
  if (spec !== null && card.test_scenario_ids.length > 0) {
    const own = await scenariosOf(db, spec, new Set(card.test_scenario_ids), sql`select ${card.id}`)
    if (own.length > 0) return judged(own, settings, coverage)
  }
  return judged([await ownSubject(db, card, coverage)], settings, coverage)
}

/** What proves a spec: its scenarios. */
export async function proofOfSpec(db: Db, spec: ProvenSpec, settings: ProofSettings): Promise<RecordProof> {
  const cards = await db.selectFrom('cards').select('id').where('spec_id', '=', spec.id).execute()
  const coverage = await Coverage.of(db, [spec.id, ...cards.map(({ id }) => id)])
  const own = await scenariosOf(db, spec, null, sql`select id from cards where spec_id = ${spec.id}`)
  return judged(own, settings, coverage)
}

/** What proves a sprint: the scenarios in its scope, and those of its test cards. */
export async function proofOfSprint(
  db: Db,
  sprint: ProvenSprint,
  spec: ProvenSpec,
  settings: ProofSettings,
): Promise<RecordProof> {
  const { rows: cards } = await sql<{ id: string; card_type: string; archived: Flag; test_scenario_ids: string }>`
    select id, card_type, archived, test_scenario_ids from cards where sprint_id = ${sprint.id}`.execute(db)
  const tested = cards
    .filter(({ card_type, archived }) => card_type === 'test' && archived === 0)
    .flatMap(({ test_scenario_ids }) => JSON.parse(test_scenario_ids) as string[])
  const scope = new Set([...(sprint.test_scenario_ids ?? []), ...tested])
  if (scope.size === 0) return []
  const coverage = await Coverage.of(
    db,
    cards.map(({ id }) => id),
  )
  const own = await scenariosOf(db, spec, scope, sql`select id from cards where sprint_id = ${sprint.id}`)
  return judged(own, settings, coverage)
}
