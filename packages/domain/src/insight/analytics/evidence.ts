/** get_evidence_analytics: what was proven, by whom, and figures about the tests (evidence 10). */
import { type EvidenceAnalytics, EvidenceTier, type features } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import { byTier, type ProvenRow, provenCard } from '../../delivery/evidence/board-proof.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { piecesOf } from '../../lib/pieces.ts'
import { shownBy, signsBy } from '../../planning/proof/proofs.ts'
import { provenSpecs } from '../../planning/proof/proven-specs.ts'
import { proofsOfSpecs } from '../../planning/proof/records.ts'
import { isAbove, type Tier } from '../../planning/proof/tiers.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { isDoneHere } from './imported.ts'
import { hoursBetween, oneDecimal, percentile } from './measures.ts'
import {
  boundsOf,
  dateOf,
  periodOf,
  type Range,
  rangeOf,
  velocityWindow,
  type Window,
  windowBounds,
} from './periods.ts'
import { flakyTests, slowestTests } from './tests.ts'

type Answer = z.input<typeof EvidenceAnalytics>
interface Within {
  board: string
  from: string
  to: string
}

interface DoneRow {
  day: string
  tier: Tier | null
  is_here: Flag
  is_waived: Flag
  count: number
}

const doneCards = hot<Within, DoneRow>(
  (_, param) => sql<DoneRow>`select substr(c.moved_at, 1, 10) as day, t.tier,
      case when ${isDoneHere('c')} then 1 else 0 end as is_here,
      case when w.card_id is null then 0 else 1 end as is_waived, count(*) as count
    from cards c left join done_tiers t on t.entity_id = c.id and ${sameBoard('t', 'c')} and t.origin is null
      left join card_waivers w on w.card_id = c.id and ${sameBoard('w', 'c')} and w.is_imported = 0
    where c.board_id = ${param('board')} and c.archived = 0 and c.status = 'done'
      and c.moved_at >= ${param('from')} and c.moved_at <= ${param('to')}
    group by 1, 2, 3, 4`,
)

const withinOf = (board: string, range: Range): Within => ({ board, ...boundsOf(range) })

const sumOf = (rows: readonly DoneRow[]): number => rows.reduce((sum, { count }) => sum + count, 0)

/** Cards with linked changes; only these can be stale. */
const changedCards = hot<Within, ProvenRow>(
  (_, param) => sql<ProvenRow>`select c.id, c.title, c.status, c.spec_id, c.test_scenario_ids, c.validation_stay
    from cards c
    where c.board_id = ${param('board')} and c.archived = 0 and ${isDoneHere('c')}
      and c.moved_at >= ${param('from')} and c.moved_at <= ${param('to')}
      and exists (select 1 from change_links l where l.entity_id = c.id and ${sameBoard('l', 'c')} and l.is_undone = 0)`,
)

/** Cards whose proof is evaluated together. */
const cardsAtOnce = 200

async function countStale(ctx: Context, within: Within): Promise<number> {
  const settings = await shownBy(ctx.db, ctx.boardId)
  if (settings === null) return 0
  const cards = await changedCards(ctx.db, within)
  let stale = 0
  for (const piece of piecesOf(cards, cardsAtOnce)) {
    const signs = await signsBy(ctx.db, ctx.boardId, settings, piece.map(provenCard))
    stale += [...signs.values()].filter(sign => sign.stale).length
  }
  return stale
}

async function doneFigures(ctx: Context, within: Within): Promise<Answer['done_cards']> {
  const rows = await doneCards(ctx.db, within)
  const here = rows.filter(({ is_here }) => is_here === 1)
  return {
    total: sumOf(rows),
    by_tier: byTier(here),
    stale: await countStale(ctx, within),
    waived: sumOf(rows.filter(({ is_waived }) => is_waived === 1)),
    imported: sumOf(rows) - sumOf(here),
  }
}

const specsOfBoard = hot<{ board: string }, { id: string }>((db, param) =>
  db.selectFrom('specs').select('id').where('board_id', '=', param('board')).where('archived', '=', 0),
)

/** Specs whose scenarios are evaluated together. */
const specsAtOnce = 20

/** The current state of the scenarios of all specs. */
async function scenarioFigures({ db, boardId }: Context): Promise<Answer['scenarios']> {
  const settings = await boardSettings(db, boardId)
  const figures = { total: 0, by_tier: byTier([]), failing: 0, contradicted: 0 }
  const ids = (await specsOfBoard(db, { board: boardId })).map(({ id }) => id)
  for (const piece of piecesOf(ids, specsAtOnce)) {
    const specs = await provenSpecs(db, boardId, piece)
    for (const items of (await proofsOfSpecs(db, boardId, [...specs.values()], settings)).values())
      for (const { counting, contradicted } of items) {
        figures.total++
        figures.by_tier[counting?.tier ?? 'none']++
        if (counting?.status === 'failed') figures.failing++
        if (contradicted !== null) figures.contradicted++
      }
  }
  return figures
}

interface ReportRow {
  tier: Tier
  outcome: string
  count: number
}

const reportCounts = hot<Within, ReportRow>(
  (_, param) => sql<ReportRow>`select tier, outcome, count(*) as count from test_reports
    where board_id = ${param('board')} and created_at >= ${param('from')} and created_at <= ${param('to')}
      and origin is null
    group by tier, outcome`,
)

async function reportFigures({ db }: Context, within: Within): Promise<Answer['reports']> {
  const rows = await reportCounts(db, within)
  const sum = (of: readonly ReportRow[]) => of.reduce((total, { count }) => total + count, 0)
  const { none: _, ...by_tier } = byTier(rows)
  return {
    total: sum(rows),
    empty: sum(rows.filter(({ outcome }) => outcome === 'empty')),
    failed: sum(rows.filter(({ outcome }) => outcome === 'failed')),
    by_tier,
  }
}

interface ProvenAt {
  validated_at: string | null
  reported_at: string | null
  run_at: string | null
}

const details = (member: string) => dialect.jsonText(sql.ref<string | null>('e.details'), member)

/** When cards first entered validation, and when a report or run of some tiers that counts for them first passed. */
const provenAt = hot<Within & { tiers: string }, ProvenAt>(
  (_, param) => sql<ProvenAt>`select
      (select min(e.created_at) from events e where e.card_id = c.id and ${sameBoard('e', 'c')} and e.action = 'card_moved' and e.imported = 0
        and ${details('to_status')} = 'validation') as validated_at,
      (select min(t.created_at) from report_records r join test_reports t on t.id = r.report_id and ${sameBoard('t', 'r')}
        where r.entity_id = c.id and t.origin is null and t.outcome = 'passed' and ${dialect.inList(sql.ref('t.tier'), param('tiers'))}) as reported_at,
      (select min(p.finished_at) from run_records r join proof_runs p on p.id = r.run_id and ${sameBoard('p', 'r')}
        where r.entity_id = c.id and p.origin is null and p.status = 'passed' and ${dialect.inList(sql.ref('p.tier'), param('tiers'))}) as run_at
    from cards c
    where c.board_id = ${param('board')} and c.archived = 0 and ${isDoneHere('c')}
      and c.moved_at >= ${param('from')} and c.moved_at <= ${param('to')}
      and (exists (select 1 from report_records r where r.entity_id = c.id and ${sameBoard('r', 'c')})
        or exists (select 1 from run_records r where r.entity_id = c.id and ${sameBoard('r', 'c')}))`,
)

async function hoursToProof({ db, boardId }: Context, within: Within): Promise<Answer['hours_to_proof']> {
  const { min_evidence_tier } = await boardSettings(db, boardId)
  const tiers = EvidenceTier.options.filter(tier => !isAbove(min_evidence_tier, tier))
  const rows = await provenAt(db, { ...within, tiers: JSON.stringify(tiers) })
  const hours = rows
    .flatMap(({ validated_at, reported_at, run_at }) => {
      const [first] = [reported_at, run_at].flatMap(at => at ?? []).toSorted()
      return validated_at === null || first === undefined ? [] : [Math.max(0, hoursBetween(validated_at, first))]
    })
    .toSorted((one, other) => one - other)
  const rounded = (value: number | null) => (value === null ? null : oneDecimal(value))
  return { p50: rounded(percentile(hours, 0.5)), p90: rounded(percentile(hours, 0.9)) }
}

/** What was done in the weeks of a window, by the tier that it was done with. */
async function evidenceWeeks(db: Db, board: string, window: Window): Promise<Answer['weeks']> {
  const rows = (await doneCards(db, { board, ...windowBounds(window) })).filter(({ is_here }) => is_here === 1)
  const byWeek = Map.groupBy(rows, ({ day }) =>
    periodOf({ ...window, from: window.starts[0] ?? window.from }, Date.parse(day)),
  )
  return window.starts.map((start, index) => {
    const own = byWeek.get(index) ?? []
    return { week: dateOf(start), done: sumOf(own), by_tier: byTier(own) }
  })
}

type Query = Parameters<typeof rangeOf>[0]

/** The figures of evidence of a board (evidence 10). */
export async function evidenceFigures(ctx: Context, query: Query): Promise<Answer> {
  const range = rangeOf(query)
  const within = withinOf(ctx.boardId, range)
  return {
    board_id: ctx.boardId,
    done_cards: await doneFigures(ctx, within),
    scenarios: await scenarioFigures(ctx),
    flaky: await flakyTests(ctx.db, within),
    slowest: await slowestTests(ctx.db, within),
    reports: await reportFigures(ctx, within),
    hours_to_proof: await hoursToProof(ctx, within),
    weeks: await evidenceWeeks(ctx.db, ctx.boardId, velocityWindow('week', range, Date.parse(ctx.now()), 12)),
  }
}

/** get_evidence_analytics (evidence 10). */
export const evidenceAnalytics: Implementation<(typeof features.evidence)['get_evidence_analytics']> = (
  { query },
  ctx,
) => evidenceFigures(ctx, query)
