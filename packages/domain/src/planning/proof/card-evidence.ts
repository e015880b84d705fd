/** Results of scenarios and cards, as they are stored (evidence 4, 7). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import { workOn } from '../review/participants.ts'
import type { Result } from './rules.ts'
import type { Tier, TierVerdict } from './tiers.ts'

/** A stored result, with what its report or run tested. */
export interface StoredResult {
  tier: Tier
  tier_reason: TierVerdict['tier_reason']
  status: string
  seen_by: string | null
  commit_sha: string | null
  tested_commit: string | null
  tree: string | null
  repository_id: string | null
  report_id: string | null
  run_id: string | null
  is_flaky: Flag
  made_at: string
}

/** The newest result of a scenario for each tier. */
export interface ScenarioResult extends StoredResult {
  spec_id: string
  scenario_id: string
  print: string
}

/** The results of the scenarios of specs. */
export const resultsOfSpecs = hot<{ board: string; specs: string }, ScenarioResult>(
  (_, param) => sql<ScenarioResult>`select s.spec_id, s.scenario_id, s.tier, s.tier_reason, s.status, s.seen_by,
      s.commit_sha, t.tested_commit, coalesce(t.tree, p.tree) as tree, s.repository_id, s.report_id, s.run_id,
      s.is_flaky, s.print, s.made_at
    from scenario_results s left join test_reports t on t.id = s.report_id and ${sameBoard('t', 's')} left join proof_runs p on p.id = s.run_id and ${sameBoard('p', 's')}
    where ${dialect.inList(sql.ref('s.spec_id'), param('specs'))} and ${onBoard('s', param('board'))} and s.status in ('passed', 'failed')
    union all select i.spec_id, i.scenario_id, 'claimed', 'imported', i.status, null, i.commit_sha, null, null,
      i.repository_id, i.report_id, i.run_id, i.is_flaky, i.print, i.made_at
    from imported_results i
    where ${dialect.inList(sql.ref('i.spec_id'), param('specs'))} and ${onBoard('i', param('board'))} and i.status in ('passed', 'failed')`,
)

type CardResult = StoredResult & { card: string }

const reportsOfCards = hot<{ board: string; cards: string }, CardResult>(
  (_, param) => sql<CardResult>`select r.entity_id as card, t.tier, t.tier_reason, t.outcome as status, t.seen_by,
      t.commit_sha, t.tested_commit, t.tree, t.repository_id, t.id as report_id, null as run_id,
      case when t.flaky > 0 then 1 else 0 end as is_flaky, t.created_at as made_at
    from report_records r join test_reports t on t.id = r.report_id and ${sameBoard('t', 'r')}
    where ${dialect.inList(sql.ref('r.entity_id'), param('cards'))} and ${onBoard('r', param('board'))} and t.outcome in ('passed', 'failed')`,
)

const runsOfCards = hot<{ board: string; cards: string }, CardResult>(
  (_, param) => sql<CardResult>`select r.entity_id as card, p.tier, p.tier_reason, p.status, p.seen_by,
      case when p.is_dirty = 1 then null else p.commit_sha end as commit_sha, null as tested_commit, p.tree,
      p.repository_id, null as report_id, p.id as run_id, 0 as is_flaky, p.finished_at as made_at
    from run_records r join proof_runs p on p.id = r.run_id and ${sameBoard('p', 'r')}
    where ${dialect.inList(sql.ref('r.entity_id'), param('cards'))} and ${onBoard('r', param('board'))} and p.status in ('passed', 'failed')`,
)

/**
 * The last passed reports of the default branch, which count for every card whose commits they cover (evidence 4, rule
 * 8).
 */
export const passedOnDefault = hot<{ board: string; repository: string }, StoredResult>(
  (_, param) => sql<StoredResult>`select t.tier, t.tier_reason, t.outcome as status, t.seen_by, t.commit_sha,
      t.tested_commit, t.tree, t.repository_id, t.id as report_id, null as run_id,
      case when t.flaky > 0 then 1 else 0 end as is_flaky, t.created_at as made_at
    from test_reports t join repositories r on r.id = t.repository_id and ${sameBoard('r', 't')}
    where t.repository_id = ${param('repository')} and ${onBoard('t', param('board'))} and t.branch = r.default_branch and t.outcome = 'passed'
      and t.origin is null
    order by t.created_at desc limit 20`,
)

/** The result of a validation, and the round of its card in which it was given. */
interface Validation {
  id: string
  card_id: string
  stay: number
  outcome: string
  present: Flag
  created_at: string
}

const validationsOf = hot<{ board: string; cards: string }, Validation>((db, param) =>
  db
    .selectFrom('task_validations')
    .select(['id', 'card_id', 'stay', 'outcome', 'present', 'created_at'])
    .where(eb => dialect.inList(eb.ref('card_id'), sql`${param('cards')}`))
    .where(onBoard('task_validations', param('board'))),
)

const placeOf = ({ created_at, id }: Validation): string => `${created_at} ${id}`

const byTime = (one: Validation, other: Validation): number => (placeOf(one) < placeOf(other) ? -1 : 1)

/** The reports, runs and validations of some cards. */
export interface CardEvidence {
  readonly results: ReadonlyMap<string, readonly StoredResult[]>
  /** Oldest first. */
  readonly validations: ReadonlyMap<string, readonly Validation[]>
}

/** Reads the reports, runs and validations of some cards of a board. */
export async function evidenceOfCards(db: Db, board: string, cards: readonly string[]): Promise<CardEvidence> {
  if (cards.length === 0) return { results: new Map(), validations: new Map() }
  const params = { board, cards: JSON.stringify(cards) }
  const results = [...(await reportsOfCards(db, params)), ...(await runsOfCards(db, params))]
  return {
    results: Map.groupBy(results, ({ card }) => card),
    validations: Map.groupBy((await validationsOf(db, params)).toSorted(byTime), ({ card_id }) => card_id),
  }
}

/** A result, and who was shown the key that sent it. */
export type SeenResult = Result & { readonly seen_by: string | null }

/** A stored result in the form in which it is judged. */
export const resultOf = (row: StoredResult, outdated: Result['outdated'] = null): SeenResult => ({
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
  outdated,
  seen_by: row.seen_by,
})

const noSource = {
  commit: null,
  tested_commit: null,
  tree: null,
  repository_id: null,
  report_id: null,
  run_id: null,
  flaky: false,
  outdated: null,
} as const

/** A present person's verdict on a card. */
export const verdictOf = ({ outcome, created_at }: Validation): Result => ({
  tier: 'person',
  tier_reason: 'person',
  status: outcome === 'success' ? 'passed' : 'failed',
  at: created_at,
  ...noSource,
})

/** An agent's own claim. */
export const claimOf = (status: Result['status'], at: string): SeenResult => ({
  tier: 'claimed',
  tier_reason: 'agent',
  status,
  at,
  ...noSource,
  seen_by: null,
})

/** The cards of each record. */
const cardsOf = {
  card: { table: 'cards', cards: sql`select o.id` },
  spec: { table: 'specs', cards: sql`select k.id from cards k where k.spec_id = o.id and ${sameBoard('k', 'o')}` },
  sprint: {
    table: 'sprints',
    cards: sql`select k.id from cards k where k.sprint_id = o.id and ${sameBoard('k', 'o')}`,
  },
} as const

/** Which of some agents worked on the cards of some records. */
const workersOf = (kind: keyof typeof cardsOf) =>
  hot<{ board: string; ids: string; agents: string }, { owner: string; agent: string }>(
    (_, param) => sql<{ owner: string; agent: string }>`select o.id as owner, a.value as agent
      from ${sql.table(cardsOf[kind].table)} o, ${dialect.jsonElements(sql<string>`${param('agents')}`)} a
      where ${dialect.inList(sql.ref('o.id'), param('ids'))} and ${onBoard('o', param('board'))}
        and exists (select 1 from ${workOn(cardsOf[kind].cards, sql.ref('o.board_id'))} work where work.agent_id = a.value)`,
  )

const workers = { card: workersOf('card'), spec: workersOf('spec'), sprint: workersOf('sprint') }

/** Whether a result may count less because the key that sent it was shown to somebody. */
export const mayBeLowered = ({ tier, seen_by }: Pick<SeenResult, 'tier' | 'seen_by'>): boolean =>
  tier === 'ci' && seen_by !== null

/**
 * Determines how the results of a board's records count: nobody vouches for itself with a key that it was shown
 * (evidence 1, rule 3).
 */
export async function loweredFor(
  db: Db,
  board: string,
  kind: keyof typeof workers,
  results: ReadonlyMap<string, readonly SeenResult[]>,
): Promise<(owner: string) => (result: SeenResult) => Result> {
  const open = [...results].filter(([, own]) => own.some(mayBeLowered))
  if (open.length === 0) return () => result => result
  const agents = new Set(open.flatMap(([, own]) => own.filter(mayBeLowered).map(({ seen_by }) => seen_by)))
  const rows = await workers[kind](db, {
    board,
    ids: JSON.stringify(open.map(([owner]) => owner)),
    agents: JSON.stringify([...agents]),
  })
  const worked = new Set(rows.map(({ owner, agent }) => `${owner} ${agent}`))
  return owner => result =>
    mayBeLowered(result) && worked.has(`${owner} ${result.seen_by}`)
      ? { ...result, tier: 'observed', tier_reason: 'seen_by_worker' }
      : result
}
