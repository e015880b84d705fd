import type { features } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import type { FileAnswer, Implementation } from '../../kernel/implement.ts'
import { contentDisposition } from '../../lib/content-disposition.ts'
import { type Cell, csvRecords, csvRow, csvSection, emptyRow } from '../../lib/csv.ts'
import { shownBy } from '../../planning/proof/proofs.ts'
import { measureEntity } from './entity.ts'
import { evidenceFigures } from './evidence.ts'
import { readTaskValidations } from './facts.ts'
import { funnelOf, readChain } from './funnel.ts'
import { overviewOf } from './overview.ts'
import { always, dateOf, type Range, rangeOf, velocityWindow } from './periods.ts'
import { conclusionReported, type DonePage, readJudged, readReported, validationReported } from './quality.ts'
import { type WeekBucket, weeksOf } from './velocity.ts'
import { readVelocityEvents } from './velocity-events.ts'

type Analytics = typeof features.analytics

/** A CSV file with the date in its name. */
function csvFile(name: string, now: string, content: FileAnswer['content']): FileAnswer {
  const filename = `${name}-${dateOf(Date.parse(now))}.csv`
  return {
    filename,
    mimeType: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': contentDisposition(filename) },
    content,
  }
}

const weekColumns = {
  Week: 'week',
  Impl: 'impl',
  Test: 'test',
  Bug: 'bug',
  'Validation Bounce': 'validation_bounce',
  'Spec Done': 'spec_done',
  'Sprint Done': 'sprint_done',
} as const satisfies Record<string, keyof WeekBucket>

const boardColumns = {
  'Board ID': 'board_id',
  'Board Name': 'board_name',
  Ideations: 'ideations',
  Specs: 'specs',
  Cards: 'cards',
  'Cards Done': 'cards_done',
  Refinements: 'refinements',
  Sprints: 'sprints',
  Bugs: 'bugs',
} as const

/** The sections of the overview (B.15). */
const overviewSections = (overview: Awaited<ReturnType<typeof overviewOf>>): string =>
  [
    csvSection(
      ['Metric', 'Value'],
      [
        ['Total Ideations', overview.total_ideations],
        ['Total Specs', overview.total_specs],
        ['Total Cards (Impl)', overview.total_cards_impl],
        ['Total Cards (Test)', overview.total_cards_test],
        ['Avg Completeness', overview.avg_completeness],
        ['Avg Drift', overview.avg_drift],
        ['Total Cards (Bug)', overview.total_cards_bug],
        ['Total Sprints', overview.total_sprints],
        ['Avg Cycle Hours', overview.avg_cycle_hours],
      ],
    ),
    csvSection(['Funnel Stage', 'Count'], Object.entries(overview.funnel)),
    csvRecords(weekColumns, overview.velocity),
    csvRecords(boardColumns, overview.boards),
  ].join(emptyRow)

interface Stages {
  readonly [stage: string]: Cell | Readonly<Record<string, Cell>>
}

/** The stages of a funnel, one row per field; members of an object are named `name.key` (B.15). */
export const funnelSection = (funnel: Stages | ReturnType<typeof funnelOf>): string =>
  csvSection(
    ['Funnel Stage', 'Count'],
    Object.entries(funnel).flatMap(([name, value]): Cell[][] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, count]) => [`${name}.${key}`, count])
        : [[name, value]],
    ),
  )

/** A field of an entity's figures as rows: a value, an object as JSON, or a list of records with a header row (B.15). */
function fieldRows([field, value]: [string, unknown]): string {
  if (!Array.isArray(value)) return csvRow([field, value])
  const isRecords =
    value.length > 0 && value.every(item => typeof item === 'object' && item !== null && !Array.isArray(item))
  if (!isRecords) return `${emptyRow}${csvRow([field, value])}`
  const records = value as readonly Readonly<Record<string, unknown>>[]
  // Answers show references next to ids (work 1); the files do not, because their columns are those of B.13.
  const columns = [...new Set(records.flatMap(Object.keys))].filter(column => column !== 'ref')
  const rows = records.map(record => ['', ...columns.map(column => record[column])])
  return emptyRow + csvSection([field, ...columns], rows)
}

/** The figures of an entity, field by field (B.15). */
export const entityRows = (figures: object): string =>
  csvRow(['Field', 'Value']) + Object.entries(figures).map(fieldRows).join('')

const pageSize = 500

const qualityRow = (source: string, row: { card_id: string; title: string; completeness: Cell; drift: Cell }): string =>
  csvRow([row.card_id, row.title, row.completeness, row.drift, source])

/** The rows of a page of done cards, by their source, and the cards. */
const qualityRows = {
  conclusion: async (ctx: Context, page: DonePage) => {
    const cards = await readReported(ctx.db, page)
    return { cards, rows: conclusionReported(cards).map(row => qualityRow('conclusion', row)) }
  },
  validation: async (ctx: Context, page: DonePage) => {
    const cards = await readJudged(ctx.db, page)
    const ids = cards.map(card => card.id)
    const validations = await readTaskValidations(ctx.db, 'id', { ids, board: ctx.boardId, range: always })
    return { cards, rows: validationReported(cards, validations).map(row => qualityRow('validation', row)) }
  },
} as const

/** The quality of done cards, in keyset pages, because a board may have any number of cards. */
async function qualitySection(ctx: Context, range: Range): Promise<string> {
  const rows = [csvRow(['Card ID', 'Title', 'Completeness', 'Drift', 'Source'])]
  for (const source of ['conclusion', 'validation'] as const) {
    let after: DonePage['after']
    do {
      const page = await qualityRows[source](ctx, { board: ctx.boardId, range, after, limit: pageSize })
      rows.push(...page.rows)
      after = page.cards.length < pageSize ? undefined : page.cards.at(-1)
    } while (after !== undefined)
  }
  return rows.join('')
}

const tierColumns = { None: 'none', Claimed: 'claimed', Observed: 'observed', CI: 'ci', Person: 'person' } as const

/** The figures of evidence: each by name, then weeks and tests (evidence 10). */
function evidenceSections(figures: Awaited<ReturnType<typeof evidenceFigures>>): string[] {
  const { done_cards, scenarios, reports, hours_to_proof, weeks, flaky, slowest } = figures
  const named = Object.entries({ done_cards, scenarios, reports, hours_to_proof }).flatMap(([part, values]) =>
    Object.entries(values).flatMap(([name, value]): Cell[][] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, count]) => [`${part}.${name}.${key}`, count])
        : [[`${part}.${name}`, value]],
    ),
  )
  return [
    csvSection(['Evidence', 'Value'], named),
    csvSection(
      ['Week', 'Done', ...Object.keys(tierColumns)],
      weeks.map(({ week, done, by_tier }) => [week, done, ...Object.values(tierColumns).map(tier => by_tier[tier])]),
    ),
    csvRecords({ 'Flaky Test': 'address', Runs: 'runs', 'Flaky Runs': 'flaky_runs' }, flaky),
    csvRecords({ 'Slow Test': 'address', 'Duration ms': 'duration_ms' }, slowest),
  ]
}

/** export_analytics_overview (B.15). */
export const exportOverview: Implementation<Analytics['export_analytics_overview']> = async ({ query }, ctx) =>
  csvFile('analytics-overview', ctx.now(), overviewSections(await overviewOf(ctx, query, 'ANALYTICS_EXPORT')))

/** export_board_analytics (B.15). */
export const exportBoard: Implementation<Analytics['export_board_analytics']> = async ({ query }, ctx) => {
  const range = rangeOf(query)
  const window = velocityWindow('week', range, Date.parse(ctx.now()), 12)
  const { events } = await readVelocityEvents(ctx.db, [ctx.boardId], window)
  const chain = await readChain(ctx.db, { ids: [ctx.boardId], board: null, range })
  const quality = await qualitySection(ctx, range)
  // A board with nothing but claims has no figures of evidence.
  const isProven = (await shownBy(ctx.db, ctx.boardId)) !== null
  const evidence = isProven ? evidenceSections(await evidenceFigures(ctx, query)) : []
  const sections = [
    funnelSection(funnelOf(chain)),
    quality,
    csvRecords(weekColumns, weeksOf(window, events)),
    ...evidence,
  ]
  return csvFile('analytics-board', ctx.now(), sections.join(emptyRow))
}

/** export_entity_analytics (B.15). */
export const exportEntity: Implementation<Analytics['export_entity_analytics']> = async ({ params }, ctx) =>
  csvFile('analytics-entity', ctx.now(), entityRows(await measureEntity(ctx, params)))
