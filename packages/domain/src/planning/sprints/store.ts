import type { Json, Param } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { type CountedFilter, pageAt, placeIn, type Segment } from '../../kernel/counted-list.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Page, type Paging, paged, window } from '../../kernel/page.ts'
import { parseJson, parseNullable, toJson } from '../../lib/json.ts'
import { numberOf } from '../../lib/reference.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf, type WithReference, withEvaluationRefs } from '../../schema/refs.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { SprintsTable } from '../../schema/tables.ts'
import { byStatus, inSegment, type ListFilter, requested } from '../list-filter.ts'
import { shownProofOfSprint } from '../proof/proofs.ts'
import { type CardBriefRow, cardBriefOf, countedCards, withCards } from '../summaries/cards.ts'
import { changeCounts } from '../summaries/change-states.ts'
import type { GateCard, Status } from './rules.ts'

/** The columns of a SprintSummary. */
const summaryColumns = [
  'id',
  'spec_id',
  'board_id',
  'title',
  'description',
  'objective',
  'expected_outcome',
  'status',
  'spec_version',
  'start_date',
  'end_date',
  'test_scenario_ids',
  'business_rule_ids',
  'version',
  'labels',
  'created_by',
  'created_at',
  'updated_at',
  'archived',
] as const

type SummaryRow = Pick<SprintsTable, (typeof summaryColumns)[number]> & WithReference

const summaryOf = (row: SummaryRow) => ({
  id: row.id,
  ref: row.ref,
  spec_id: row.spec_id,
  board_id: row.board_id,
  title: row.title,
  description: row.description,
  objective: row.objective,
  expected_outcome: row.expected_outcome,
  status: row.status as Status,
  spec_version: row.spec_version,
  start_date: row.start_date,
  end_date: row.end_date,
  test_scenario_ids: parseNullable(row.test_scenario_ids),
  business_rule_ids: parseNullable(row.business_rule_ids),
  version: row.version,
  labels: parseNullable(row.labels),
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  archived: row.archived === 1,
})

/** A sprint's own fields, parsed, for rules and writes. */
export type SprintRecord = ReturnType<typeof recordOf>

type SprintRow = SprintsTable & WithReference

const recordOf = (row: SprintRow) => ({
  ...summaryOf(row),
  rev: row.rev,
  evaluations: parseNullable(row.evaluations),
  skip_test_coverage: row.skip_test_coverage === 1,
  skip_rules_coverage: row.skip_rules_coverage === 1,
  skip_qualitative_validation: row.skip_qualitative_validation === 1,
  validation_threshold: row.validation_threshold,
  require_task_validation: row.require_task_validation === null ? null : row.require_task_validation === 1,
  validation_min_confidence: row.validation_min_confidence,
  validation_min_completeness: row.validation_min_completeness,
  validation_max_drift: row.validation_max_drift,
  pre_archive_status: row.pre_archive_status,
})

const flag = (value: boolean): Flag => (value ? 1 : 0)

/** The columns of a sprint's fields. */
export const columnsOf = ({ ref, ...record }: SprintRecord): SprintsTable => ({
  ...record,
  number: numberOf(ref),
  test_scenario_ids: toJson(record.test_scenario_ids),
  business_rule_ids: toJson(record.business_rule_ids),
  labels: toJson(record.labels),
  evaluations: toJson(record.evaluations),
  skip_test_coverage: flag(record.skip_test_coverage),
  skip_rules_coverage: flag(record.skip_rules_coverage),
  skip_qualitative_validation: flag(record.skip_qualitative_validation),
  require_task_validation: record.require_task_validation === null ? null : flag(record.require_task_validation),
  archived: flag(record.archived),
})

const recordById = hot<{ id: string }, SprintRow>((db, param) =>
  db.selectFrom('sprints').selectAll().select(refOf('sprints').as('ref')).where('id', '=', param('id')),
)

/**
 * A sprint's own fields.
 * @throws DomainError NOT_FOUND
 */
export async function readSprint(db: Db, id: string): Promise<SprintRecord> {
  const [row] = await recordById(db, { id })
  if (row === undefined) throw notFound('sprint', id)
  return recordOf(row)
}

const wholeById = hot<{ id: string; now: string }, SprintRow & { cards: Json<CardBriefRow[]> }>((db, param) =>
  db
    .selectFrom('sprints')
    .selectAll()
    .select([refOf('sprints').as('ref'), withCards('sprint', 'sprints', param('now')).as('cards')])
    .where('id', '=', param('id')),
)

/**
 * A sprint with its cards, in one query. Parts that the caller may not read are empty.
 * @throws DomainError NOT_FOUND
 */
export async function readWholeSprint(ctx: Context, id: string) {
  const { access } = ctx
  const [row] = await wholeById(ctx.db, { id, now: ctx.now() })
  if (row === undefined) throw notFound('sprint', id)
  const record = recordOf(row)
  const cards = parseJson(row.cards).map(cardBriefOf)
  const counted = cards.filter(card => !card.archived)
  return {
    ...record,
    evaluations: access.allows('SPRINTS_READ_EVALUATIONS')
      ? record.evaluations && withEvaluationRefs(record.ref, record.evaluations)
      : null,
    cards_total: counted.length,
    cards_done: counted.filter(card => card.status === 'done').length,
    cards: access.allows('CARDS_READ') ? cards : [],
    qa_items: [],
    changes: await changeCounts(ctx.db, access, 'sprint', record),
    proof: await shownProofOfSprint(ctx.db, record),
  }
}

type ListRow = SummaryRow & { cards_total: number; cards_done: number }

const counted = countedCards('sprint', 'sprints')

const columns = sql`${sql.raw(summaryColumns.join(', '))}, ${refOf('sprints')} as ref,
  ${counted.cards_total} as cards_total, ${counted.cards_done} as cards_done`

const listItemOf = ({ cards_total, cards_done, ...row }: ListRow) => ({ ...summaryOf(row), cards_total, cards_done })

type Item = ReturnType<typeof listItemOf>

const ofBoard = byStatus(status =>
  hot<CountedFilter & Segment, ListRow>(
    (_, param) =>
      sql<ListRow>`select ${columns} from sprints
        where board_id = ${param('board')} and ${status(param)} and ${inSegment(param)}
        order by updated_at desc, id desc limit ${param('limit')} offset ${param('offset')}`,
  ),
)

/** The sprints of a board, latest change first. */
export async function listSprintsOfBoard(db: Db, filter: CountedFilter, paging: Paging): Promise<Page<Item>> {
  const place = await placeIn(db, 'sprint', filter, paging)
  return pageAt(place, await ofBoard(db, { ...filter, ...place }), listItemOf)
}

interface SpecFilter extends ListFilter {
  board: string
  spec: string
}

const ofSpec = (param: Param<SpecFilter>) =>
  sql`from sprints where spec_id = ${param('spec')} and board_id = ${param('board')} and ${requested(param)}`

const listingOfSpec = (order: string) =>
  hot<SpecFilter & { limit: number; offset: number }, ListRow>(
    (_, param) =>
      sql<ListRow>`select ${columns} ${ofSpec(param)} order by ${sql.raw(order)}
        limit ${param('limit')} offset ${param('offset')}`,
  )

const countOfSpec = hot<SpecFilter, { count: number }>(
  (_, param) => sql<{ count: number }>`select count(*) as count ${ofSpec(param)}`,
)

const ofSpecBy = {
  changed: listingOfSpec('updated_at desc, id desc'),
  created: listingOfSpec('created_at, id'),
}

/** The sprints of a spec, by latest change or oldest first. */
export async function listSprintsOfSpec(
  db: Db,
  by: keyof typeof ofSpecBy,
  filter: SpecFilter,
  paging: Paging,
): Promise<Page<Item>> {
  const rows = await ofSpecBy[by](db, { ...filter, ...window(paging) })
  return paged(rows, paging, async () => (await countOfSpec(db, filter))[0]!.count, listItemOf)
}

const cardsById = hot<OnBoard, Omit<GateCard, 'archived' | 'test_scenario_ids'> & CardColumns>((db, param) =>
  db
    .selectFrom('cards')
    .select(['id', 'card_type', 'archived', 'test_scenario_ids'])
    .where('sprint_id', '=', param('id'))
    .where(onBoard('cards', param('board_id')))
    .orderBy('created_at')
    .orderBy('id'),
)

interface CardColumns {
  archived: Flag
  test_scenario_ids: Json<string[]>
}

/** The cards of a sprint with the fields that its gates read, oldest first. */
export async function readGateCards(db: Db, sprint: OnBoard): Promise<GateCard[]> {
  const rows = await cardsById(db, sprint)
  return rows.map(({ archived, test_scenario_ids, ...card }) => ({
    ...card,
    archived: archived === 1,
    test_scenario_ids: parseJson(test_scenario_ids),
  }))
}
