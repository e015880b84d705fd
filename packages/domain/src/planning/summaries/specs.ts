import type { SpecStatus } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Access } from '../../kernel/access/access.ts'
import type { CountedFilter, Segment } from '../../kernel/counted-list.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { DomainEvent } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { inPieces } from '../../schema/in-pieces.ts'
import { refOf, type WithReference } from '../../schema/refs.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import type { PlanningRecordRow, Schema, SpecsTable } from '../../schema/tables.ts'
import { type DesignSummaryRow, designSummaryOf, withDesigns } from '../architecture/summaries.ts'
import { byStatus, inSegment } from '../list-filter.ts'
import { planningFields } from '../planning-fields.ts'
import type { FullProof } from '../proof/shown.ts'
import { type OpenQuestions, openQuestions, readableCount } from '../questions/open.ts'
import { countedCards } from './cards.ts'

/** The columns of a SpecSummary, without its designs. */
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

/** A row with these columns and its designs as JSON; in a nested row, the designs may already be parsed. */
export type SpecSummaryRow = PlanningRecordRow &
  WithReference &
  Pick<SpecsTable, 'ideation_id' | 'refinement_id'> & {
    architecture_designs: Json<DesignSummaryRow[]> | DesignSummaryRow[]
  }

/** The specs of an ideation or refinement, oldest first, as one JSON column. */
export const withSpecs = (parent: 'ideation' | 'refinement', of: string) =>
  dialect.jsonArrayFrom(
    expressionBuilder<Schema>()
      .selectFrom('specs')
      .select(specSummaryColumns)
      .select([refOf('specs').as('ref'), withDesigns('specs').as('architecture_designs')])
      .where(`specs.${parent}_id`, '=', sql.ref<string>(`${of}.id`))
      .where(sameBoard('specs', of))
      .orderBy('specs.created_at')
      .orderBy('specs.id'),
  )

/** The ids of the specs of ideations or refinements of a board. */
export async function specIdsOf(
  db: Db,
  board: string,
  parent: 'ideation' | 'refinement',
  parents: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('specs')
    .select('id')
    .where(eb => dialect.inList(eb.ref(`specs.${parent}_id`), JSON.stringify(parents)))
    .where(onBoard('specs', board))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(row => row.id)
}

/** Detaches specs from their ideation or refinement, which is about to be deleted: in pieces, as they may be many. */
export async function releaseSpecs(
  db: Db,
  board: string,
  parent: 'ideation' | 'refinement',
  ids: readonly string[],
): Promise<void> {
  await inPieces(db, ids, piece =>
    db
      .updateTable('specs')
      .set(eb => ({ [`${parent}_id`]: null, rev: eb('rev', '+', 1) }))
      .where(eb => dialect.inList(eb.ref('id'), toJson(piece)))
      .where(onBoard('specs', board))
      .execute(),
  )
}

/** The domain event for a spec whose ideation or refinement is deleted. */
export const parentDeleted = (spec_id: string): DomainEvent => ({ name: 'spec.parent_deleted', spec_id })

/** The proof of specs, by spec id; specs without proof are left out. */
export type SpecProofs = ReadonlyMap<string, FullProof>

/** A row as SpecSummary (interface, SpecSummary); designs are empty for a caller that may not read them. */
export const specSummaryOf = (row: SpecSummaryRow, showDesigns: boolean, proofs: SpecProofs) => ({
  ...planningFields<z.infer<typeof SpecStatus>>(row),
  ideation_id: row.ideation_id,
  refinement_id: row.refinement_id,
  architecture_designs: showDesigns ? designsOf(row).map(designSummaryOf) : [],
  proof: proofs.get(row.id) ?? null,
})

const designsOf = ({ architecture_designs }: SpecSummaryRow): DesignSummaryRow[] =>
  typeof architecture_designs === 'string' ? parseJson(architecture_designs) : architecture_designs

type SpecListRow = SpecSummaryRow &
  Pick<SpecsTable, 'standing'> &
  OpenQuestions & { cards_total: number; cards_done: number }

const counted = countedCards('spec', 'specs')

/** A row of the list as answered, with the parts that the caller may read. */
export const listedSpec = (row: SpecListRow, access: Access, proofs: SpecProofs) => ({
  ...specSummaryOf(row, access.allows('ARCHITECTURE_READ'), proofs),
  standing: row.standing === 1,
  open_questions: readableCount(row, access),
  cards_total: row.cards_total,
  cards_done: row.cards_done,
})

const listed = (standing: RawBuilder<SqlBool>) =>
  byStatus(status =>
    hot<CountedFilter & Segment, SpecListRow>((db, param) =>
      db
        .selectFrom('specs')
        .select(specSummaryColumns)
        .select([
          refOf('specs').as('ref'),
          withDesigns('specs').as('architecture_designs'),
          openQuestions('specs').as('open_questions'),
          counted.cards_total.as('cards_total'),
          counted.cards_done.as('cards_done'),
          'specs.standing',
        ])
        .where(standing)
        .where('board_id', '=', param('board'))
        .where(status(param))
        .where(inSegment(param))
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .limit(param('limit'))
        .offset(param('offset')),
    ),
  )

/** The specs in a part of a board's list, latest change first, without the one that collects small changes. */
export const listSpecs = listed(sql<SqlBool>`standing = 0`)

/** The same, including the spec that collects small changes. */
export const listAllSpecs = listed(sql<SqlBool>`1 = 1`)

const standingIn = hot<CountedFilter, { id: string }>((db, param) =>
  db
    .selectFrom('specs')
    .select('id')
    .where('board_id', '=', param('board'))
    .where(sql<SqlBool>`standing = 1`)
    .where(({ eb, fn }) => eb('status', '=', fn.coalesce(eb.val(param('status')), 'status')))
    .where('archived', '<=', param('archived')),
)

/** The number of specs in a list that collect small changes: 0 or 1. */
export const countStanding = async (db: Db, filter: CountedFilter): Promise<number> =>
  (await standingIn(db, filter)).length
