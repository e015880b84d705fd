import type { Context } from '../../kernel/context.ts'
import { nextPart } from '../../kernel/parts.ts'
import { insertRow } from '../../schema/rows.ts'
import type { KnowledgeTable } from '../../schema/tables.ts'
import { copiesDesigns, copyDesigns } from '../architecture/copy.ts'
import { readDesigns } from '../architecture/store.ts'
import type { KnowledgeOwner } from '../knowledge/operations.ts'
import { knowledgeOf } from '../knowledge/store.ts'
import { copiedMockups, type Mockup } from '../mockups.ts'
import { isAnswered } from '../questions/rules.ts'
import { type QuestionRow, questionOf, questionsOf } from '../questions/store.ts'
import type { SnapshotOwner } from '../snapshots/store.ts'
import { chosen, type Filters } from './filters.ts'

/** The source of a derived record. */
export interface Source {
  readonly type: SnapshotOwner
  readonly id: string
  readonly title: string
  readonly version: number
  readonly screen_mockups: readonly Mockup[] | null
}

/** The parts to copy to a derived record, selected and checked before anything is written. */
export interface SelectedParts {
  readonly source: Source
  readonly mockups: readonly Mockup[]
  readonly answered: readonly QuestionRow[]
  readonly knowledge: readonly KnowledgeTable[]
  readonly designIds: readonly string[]
}

/** The answered questions of a record, oldest first. */
export async function answeredQuestions(ctx: Context, id: string): Promise<QuestionRow[]> {
  return (await questionsOf(ctx.db, { id, board_id: ctx.boardId })).filter(row => isAnswered(questionOf(row)))
}

/**
 * Selects the parts of the source to copy to a derived record (ideation 8.1).
 * @throws DomainError VALIDATION_ERROR for an unknown mode, or an id that the source does not have
 */
export async function selectParts(ctx: Context, source: Source, filters: Filters): Promise<SelectedParts> {
  const copies = copiesDesigns(filters.architecture_propagation_mode)
  const mockups = chosen('mockup_ids', source.screen_mockups ?? [], filters.mockup_ids)
  const record = { id: source.id, board_id: ctx.boardId }
  const knowledge = chosen('kb_ids', await knowledgeOf(ctx.db, record), filters.kb_ids)
  const designs = await readDesigns(ctx.db, record)
  const selection = chosen('architecture_design_ids', designs, filters.architecture_design_ids)
  return {
    source,
    mockups,
    answered: await answeredQuestions(ctx, source.id),
    knowledge,
    designIds: copies ? selection.map(design => design.id) : [],
  }
}

/** The mockups of a derived record: its own, followed by copies of the selected ones; null when there are none. */
export function withCopiedMockups(
  ctx: Context,
  own: readonly Mockup[] | null,
  { mockups }: SelectedParts,
): Mockup[] | null {
  const all = [...(own ?? []), ...copiedMockups(mockups, own ?? [], () => ctx.newId())]
  return all.length === 0 && own === null ? null : all
}

/** Copies the selected questions, knowledge and designs to a new record; records no entries for them. */
export async function copyParts(
  ctx: Context,
  parts: SelectedParts,
  target: { readonly type: KnowledgeOwner; readonly id: string },
): Promise<void> {
  const { source, answered, knowledge, designIds } = parts
  const placed = { owner_type: target.type, owner_id: target.id, created_at: ctx.now() } as const
  const owner = { id: target.id, board: ctx.boardId }
  for (const { ref: _, ...row } of answered) {
    const number = await nextPart(ctx.db, owner, 'q')
    await insertRow(ctx.db, 'questions', { ...row, ...placed, id: ctx.newId(), number })
  }
  for (const row of knowledge) {
    await insertRow(ctx.db, 'knowledge', {
      ...row,
      ...placed,
      id: ctx.newId(),
      number: await nextPart(ctx.db, owner, 'k'),
      source_type: source.type,
      source_id: source.id,
      source_title: source.title,
      source_version: source.version,
      source_kb_id: row.id,
      created_by: ctx.caller.id,
      updated_at: ctx.now(),
    })
  }
  await copyDesigns(ctx, source, target, designIds, null)
}
