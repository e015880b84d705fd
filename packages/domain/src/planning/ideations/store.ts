import type { IdeationStatus } from '@specboard/contract'
import type { Json } from '@specboard/storage'
import type { z } from 'zod'
import type { Access } from '../../kernel/access/access.ts'
import type { CountedFilter, Segment } from '../../kernel/counted-list.ts'
import { notFound } from '../../kernel/errors.ts'
import { parseJson, parseNullable, toJson } from '../../lib/json.ts'
import { numberOf } from '../../lib/reference.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf, type WithReference } from '../../schema/refs.ts'
import type { IdeationsTable } from '../../schema/tables.ts'
import { type DesignSummaryRow, designSummaryOf, withDesigns } from '../architecture/summaries.ts'
import { byStatus, inSegment } from '../list-filter.ts'
import type { Mockup } from '../mockups.ts'
import { planningFields } from '../planning-fields.ts'
import { shownProofsOfSpecs } from '../proof/proofs.ts'
import { type OpenQuestions, openQuestions, readableCount } from '../questions/open.ts'
import { type NestedQuestion, nestedQuestions, withQuestions } from '../questions/store.ts'
import { type RefinementSummaryRow, refinementSummaryOf, withRefinements } from '../summaries/refinements.ts'
import { type SpecProofs, type SpecSummaryRow, specSummaryOf, withSpecs } from '../summaries/specs.ts'

type IdeationRow = IdeationsTable & WithReference

const recordById = hot<{ id: string }, IdeationRow>((db, param) =>
  db.selectFrom('ideations').selectAll().select(refOf('ideations').as('ref')).where('id', '=', param('id')),
)

/** A row with its nested collections, each a JSON array. */
interface WholeRow extends IdeationRow {
  architecture_designs: Json<DesignSummaryRow[]>
  qa_items: Json<NestedQuestion[]>
  refinements: Json<RefinementSummaryRow[]>
  specs: Json<SpecSummaryRow[]>
}

const wholeById = hot<{ id: string }, WholeRow>((db, param) =>
  db
    .selectFrom('ideations')
    .selectAll()
    .select(eb => [
      refOf('ideations').as('ref'),
      withDesigns('ideations').as('architecture_designs'),
      withQuestions('ideations').as('qa_items'),
      withRefinements(eb).as('refinements'),
      withSpecs('ideation', 'ideations').as('specs'),
    ])
    .where('id', '=', param('id')),
)

/** An ideation's own fields, parsed, for rules and writes. */
export interface IdeationRecord extends ReturnType<typeof storedFields> {
  readonly rev: number
  readonly screen_mockups: Mockup[] | null
}

const storedFields = (row: Omit<IdeationRow, 'screen_mockups'>) => ({
  ...planningFields<z.infer<typeof IdeationStatus>>(row),
  problem_statement: row.problem_statement,
  proposed_approach: row.proposed_approach,
  scope_assessment: parseNullable(row.scope_assessment),
  complexity: row.complexity as 'small' | 'medium' | 'large' | null,
})

const recordOf = (row: IdeationRow): IdeationRecord => ({
  ...storedFields(row),
  rev: row.rev,
  screen_mockups: parseNullable(row.screen_mockups),
})

/** An ideation's own fields. */
export async function readIdeation(db: Db, id: string): Promise<IdeationRecord> {
  const [row] = await recordById(db, { id })
  if (row === undefined) throw notFound('ideation', id)
  return recordOf(row)
}

/** An ideation with the nested parts that the caller may read, in one query. */
export async function readWholeIdeation(db: Db, id: string, access: Access) {
  const [row] = await wholeById(db, { id })
  if (row === undefined) throw notFound('ideation', id)
  const specs = access.allows('SPECS_READ') ? parseJson(row.specs) : []
  return wholeOf(row, access, await shownProofsOfSpecs(db, row.board_id, specs))
}

const none = toJson<never[]>([])

/** A new ideation, which has no nested parts yet. */
export const newIdeation = (row: IdeationRow, access: Access) =>
  wholeOf({ ...row, architecture_designs: none, qa_items: none, refinements: none, specs: none }, access, new Map())

function wholeOf(row: WholeRow, access: Access, proofs: SpecProofs) {
  const { id } = row
  const showDesigns = access.allows('ARCHITECTURE_READ')
  return {
    ...recordOf(row),
    architecture_designs: showDesigns ? parseJson(row.architecture_designs).map(designSummaryOf) : [],
    knowledge_bases: [],
    qa_items: access.allows('QA_READ') ? nestedQuestions(row.qa_items, 'ideation', id) : [],
    refinements: access.allows('REFINEMENTS_READ') ? parseJson(row.refinements).map(refinementSummaryOf) : [],
    specs: access.allows('SPECS_READ')
      ? parseJson(row.specs).map(spec => specSummaryOf(spec, showDesigns, proofs))
      : [],
  }
}

type ListRow = Omit<IdeationRow, 'screen_mockups'> & OpenQuestions & { architecture_designs: Json<DesignSummaryRow[]> }

/** The ideations in a part of a board's list, latest change first. */
export const listIdeations = byStatus(status =>
  hot<CountedFilter & Segment, ListRow>((db, param) =>
    db
      .selectFrom('ideations')
      .selectAll()
      .select([
        refOf('ideations').as('ref'),
        withDesigns('ideations').as('architecture_designs'),
        openQuestions('ideations').as('open_questions'),
      ])
      .where('board_id', '=', param('board'))
      .where(status(param))
      .where(inSegment(param))
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(param('limit'))
      .offset(param('offset')),
  ),
)

/** A row of the list as answered, with the parts that the caller may read. */
export const listedIdeation = (row: ListRow, access: Access) => ({
  ...storedFields(row),
  architecture_designs: access.allows('ARCHITECTURE_READ')
    ? parseJson(row.architecture_designs).map(designSummaryOf)
    : [],
  open_questions: readableCount(row, access),
})

/** The columns of an ideation's fields. */
export const columnsOf = ({ ref, ...record }: IdeationRecord): IdeationsTable => ({
  ...record,
  number: numberOf(ref),
  labels: toJson(record.labels),
  scope_assessment: toJson(record.scope_assessment),
  screen_mockups: toJson(record.screen_mockups),
  archived: record.archived ? 1 : 0,
})
