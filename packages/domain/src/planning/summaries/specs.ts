import type { SpecStatus } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import type { ExpressionBuilder } from 'kysely'
import type { z } from 'zod'
import type { DomainEvent } from '../../kernel/events.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { PlanningRecordRow, Schema, SpecsTable } from '../../schema/tables.ts'
import { designSummaryOf, withDesigns } from '../architecture/summaries.ts'
import { counterOf, type ListFilter, matches } from '../list-filter.ts'
import { planningFields } from '../planning-fields.ts'

/** The columns of a SpecSummary beside its designs. */
const specSummaryColumns = [
  'specs.id',
  'specs.board_id',
  'specs.ideation_id',
  'specs.refinement_id',
  'specs.title',
  'specs.description',
  'specs.status',
  'specs.version',
  'specs.assignee_id',
  'specs.labels',
  'specs.archived',
  'specs.pre_archive_status',
  'specs.created_by',
  'specs.created_at',
  'specs.updated_at',
] as const

/** A row of those columns, its designs as JSON. */
export type SpecSummaryRow = PlanningRecordRow &
  Pick<SpecsTable, 'ideation_id' | 'refinement_id'> & { architecture_designs: string }

/** The specs of an ideation or refinement, oldest first, as one JSON column. */
export const withSpecs = (eb: ExpressionBuilder<Schema, keyof Schema>, parent: 'ideation' | 'refinement') =>
  dialect.jsonArrayFrom(
    eb
      .selectFrom('specs')
      .select(specSummaryColumns)
      .select(inner => withDesigns(inner as never, 'specs.id').as('architecture_designs'))
      .whereRef(`specs.${parent}_id`, '=', `${parent}s.id` as never)
      .orderBy('specs.created_at')
      .orderBy('specs.id'),
  )

/** The ids of the specs of ideations or refinements. */
export async function specIdsOf(
  db: Db,
  parent: 'ideation' | 'refinement',
  parents: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('specs')
    .select('id')
    .where(eb => dialect.inList(eb.ref(`specs.${parent}_id`), JSON.stringify(parents)) as never)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(row => row.id)
}

/** What the deletion of its ideation or refinement is to a spec. */
export const parentDeleted = (spec_id: string): DomainEvent => ({ name: 'spec.parent_deleted', spec_id })

/** A row as SpecSummary (interface statement); without the right to read designs they are left empty. */
export const specSummaryOf = (row: SpecSummaryRow, showDesigns: boolean) => ({
  ...planningFields<z.infer<typeof SpecStatus>>(row),
  ideation_id: row.ideation_id,
  refinement_id: row.refinement_id,
  architecture_designs: showDesigns
    ? nested<Parameters<typeof designSummaryOf>[0]>(row.architecture_designs).map(designSummaryOf)
    : [],
})

/** A nested collection: text on its own, parsed already inside another one. */
const nested = <Row>(value: string | Row[]): Row[] => (typeof value === 'string' ? parseJson<Row[]>(value) : value)

interface BoardFilter extends ListFilter {
  board: string
}

const listed = hot<BoardFilter & { limit: number; offset: number }, SpecSummaryRow>(
  (db, param) =>
    db
      .selectFrom('specs')
      .select(specSummaryColumns)
      .select(eb => withDesigns(eb as never, 'specs.id').as('architecture_designs'))
      .where('board_id', '=', param('board'))
      .where(matches(param))
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(param('limit'))
      .offset(param('offset')) as never,
)

/** The specs of a board, last changed first, and the query that counts them all. */
export const listSpecs = {
  rows: listed,
  count: counterOf('specs', 'board'),
}
