import type { Json } from '@specboard/storage'
import type { Access } from '../../kernel/access/access.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Paging, paged, window } from '../../kernel/page.ts'
import { parseJson, parseNullable, toJson } from '../../lib/json.ts'
import { numberOf } from '../../lib/reference.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf, type WithReference } from '../../schema/refs.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { RefinementsTable } from '../../schema/tables.ts'
import { type DesignSummaryRow, designSummaryOf, withDesigns } from '../architecture/summaries.ts'
import { knowledgeSummaryOf } from '../knowledge/operations.ts'
import { type KnowledgeSummaryRow, withKnowledge } from '../knowledge/store.ts'
import { type ListFilter, requested } from '../list-filter.ts'
import { shownProofsOfSpecs } from '../proof/proofs.ts'
import { type NestedQuestion, nestedQuestions, withQuestions } from '../questions/store.ts'
import { type RefinementSummaryRow, refinementSummaryColumns, refinementSummaryOf } from '../summaries/refinements.ts'
import { type SpecSummaryRow, specSummaryOf, withSpecs } from '../summaries/specs.ts'

type RefinementRow = RefinementsTable & WithReference

const recordById = hot<{ id: string }, RefinementRow>((db, param) =>
  db.selectFrom('refinements').selectAll().select(refOf('refinements').as('ref')).where('id', '=', param('id')),
)

const wholeById = hot<
  { id: string },
  RefinementRow & {
    architecture_designs: Json<DesignSummaryRow[]>
    knowledge_bases: Json<KnowledgeSummaryRow[]>
    qa_items: Json<NestedQuestion[]>
    specs: Json<SpecSummaryRow[]>
  }
>((db, param) =>
  db
    .selectFrom('refinements')
    .selectAll()
    .select([
      refOf('refinements').as('ref'),
      withDesigns('refinements').as('architecture_designs'),
      withKnowledge('refinements').as('knowledge_bases'),
      withQuestions('refinements').as('qa_items'),
      withSpecs('refinement', 'refinements').as('specs'),
    ])
    .where('id', '=', param('id')),
)

/** A refinement's own fields, parsed, for rules and writes. */
export type RefinementRecord = ReturnType<typeof recordOf>

const recordOf = (row: RefinementRow) => ({
  ...refinementSummaryOf(row),
  rev: row.rev,
  in_scope: parseNullable(row.in_scope),
  out_of_scope: parseNullable(row.out_of_scope),
  analysis: row.analysis,
  decisions: parseNullable(row.decisions),
  screen_mockups: parseNullable(row.screen_mockups),
})

/**
 * A refinement's own fields.
 * @throws DomainError NOT_FOUND
 */
export async function readRefinement(db: Db, id: string): Promise<RefinementRecord> {
  const [row] = await recordById(db, { id })
  if (row === undefined) throw notFound('refinement', id)
  return recordOf(row)
}

/**
 * A refinement with the nested parts that the caller may read, in one query.
 * @throws DomainError NOT_FOUND
 */
export async function readWholeRefinement(db: Db, id: string, access: Access) {
  const [row] = await wholeById(db, { id })
  if (row === undefined) throw notFound('refinement', id)
  const showDesigns = access.allows('ARCHITECTURE_READ')
  const specs = access.allows('SPECS_READ') ? parseJson(row.specs) : []
  const proofs = await shownProofsOfSpecs(db, row.board_id, specs)
  return {
    ...recordOf(row),
    architecture_designs: showDesigns ? parseJson(row.architecture_designs).map(designSummaryOf) : [],
    knowledge_bases: access.allows('KNOWLEDGE_READ')
      ? parseJson(row.knowledge_bases).map(item => knowledgeSummaryOf('refinement', item))
      : [],
    qa_items: access.allows('QA_READ') ? nestedQuestions(row.qa_items, 'refinement', id) : [],
    specs: specs.map(spec => specSummaryOf(spec, showDesigns, proofs)),
  }
}

interface Filter extends ListFilter {
  board: string
  ideation: string
}

const listed = hot<Filter & { limit: number; offset: number }, RefinementSummaryRow>((db, param) =>
  db
    .selectFrom('refinements')
    .select(refinementSummaryColumns)
    .select(refOf('refinements').as('ref'))
    .where('ideation_id', '=', param('ideation'))
    .where(onBoard('refinements', param('board')))
    .where(requested(param))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit'))
    .offset(param('offset')),
)

const counted = hot<Filter, { count: number }>((db, param) =>
  db
    .selectFrom('refinements')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('ideation_id', '=', param('ideation'))
    .where(onBoard('refinements', param('board')))
    .where(requested(param)),
)

/** The refinements of an ideation, latest change first. */
export async function listRefinements(db: Db, filter: Filter, paging: Paging) {
  const rows = await listed(db, { ...filter, ...window(paging) })
  return paged(rows, paging, async () => (await counted(db, filter))[0]!.count, refinementSummaryOf)
}

/** The columns of a refinement's fields. */
export const columnsOf = ({ ref, ...record }: RefinementRecord): RefinementsTable => ({
  ...record,
  number: numberOf(ref),
  in_scope: toJson(record.in_scope),
  out_of_scope: toJson(record.out_of_scope),
  decisions: toJson(record.decisions),
  labels: toJson(record.labels),
  screen_mockups: toJson(record.screen_mockups),
  archived: record.archived ? 1 : 0,
})
