import type { KnowledgeCreate } from '@specboard/contract'
import type { z } from 'zod'
import { refuseArchived } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Page, type Paging, paged, window } from '../../kernel/page.ts'
import { nextPartRef } from '../../kernel/parts.ts'
import type { Change } from '../../schema/contents.ts'
import { insertRow } from '../../schema/rows.ts'
import type { KnowledgeTable } from '../../schema/tables.ts'
import { recordOnPart } from '../history/record-entry.ts'
import {
  countKnowledge,
  deleteKnowledge,
  type KnowledgeRow,
  type KnowledgeSummaryRow,
  knowledgeById,
  listKnowledge,
} from './store.ts'

/** The kinds of record with rows of knowledge; the knowledge of cards is in a column of the card. */
export type KnowledgeOwner = 'refinement' | 'spec'

type OwnerParams<Owner extends KnowledgeOwner> = Readonly<Record<`${Owner}_id`, string>>

/** A knowledge item without its content, with the id of its record. */
export type KnowledgeSummary<Owner extends KnowledgeOwner> = Omit<KnowledgeSummaryRow, 'owner_id'> & OwnerParams<Owner>

/** A knowledge item with its content and the id of its record. */
export type KnowledgeItem<Owner extends KnowledgeOwner> = Omit<
  KnowledgeRow,
  'board_id' | 'owner_type' | 'owner_id' | 'number'
> &
  OwnerParams<Owner>

interface KnowledgePath {
  readonly params: { readonly knowledge_id: string }
}

/** A row as a summary (ideation 1.6). */
export const knowledgeSummaryOf = <const Owner extends KnowledgeOwner>(owner: Owner, row: KnowledgeSummaryRow) => {
  const { owner_id, ...fields } = row
  return { ...fields, [`${owner}_id`]: owner_id } as KnowledgeSummary<Owner>
}

const itemOf = <const Owner extends KnowledgeOwner>(owner: Owner, row: KnowledgeRow) => {
  const { board_id, owner_type, owner_id, number, ...fields } = row
  return { ...fields, [`${owner}_id`]: owner_id } as KnowledgeItem<Owner>
}

/**
 * Makes the four knowledge operations of a kind of record (ideation 1.6, specs 2.4); each works on the addressed
 * record.
 *
 * @example
 * const knowledge = knowledgeOperations('spec')
 * implement(features.specs, { list_spec_knowledge: knowledge.list, get_spec_knowledge: knowledge.get, … })
 */
export function knowledgeOperations<const Owner extends KnowledgeOwner>(owner: Owner) {
  const recordKnowledge = (
    ctx: Context,
    event: 'added' | 'deleted',
    { id, title }: Pick<KnowledgeTable, 'id' | 'title'>,
    change: Pick<Change, 'old' | 'new'>,
  ) =>
    recordOnPart(ctx, owner, ctx.target, {
      activity: {
        action: `${owner}_knowledge_${event}`,
        details: { [`${owner}_id`]: ctx.target.id, knowledge_id: id, title },
      },
      history: {
        action: `knowledge_${event}`,
        changes: [{ field: 'knowledge', ...change }],
        summary: `Knowledge ${event}: ${title}`,
      },
    })

  return {
    /** Lists the knowledge without its content, oldest first. */
    list: async ({ query }: { readonly query: Paging }, ctx: Context): Promise<Page<KnowledgeSummary<Owner>>> => {
      const parameters = { id: ctx.target.id, board_id: ctx.boardId, ...window(query) }
      return paged(
        await listKnowledge(ctx.db, parameters),
        query,
        async () => (await countKnowledge(ctx.db, parameters))[0]!.count,
        row => knowledgeSummaryOf(owner, row),
      )
    },

    get: async ({ params }: KnowledgePath, ctx: Context): Promise<KnowledgeItem<Owner>> =>
      itemOf(owner, await storedKnowledge(ctx, params.knowledge_id)),

    /** @throws DomainError ARCHIVED */
    create: async (
      { body }: { readonly body: z.output<typeof KnowledgeCreate> },
      ctx: Context,
    ): Promise<KnowledgeItem<Owner>> => {
      refuseArchived(ctx.target)
      const { number, ref } = await nextPartRef(ctx.db, { id: ctx.target.id, board: ctx.boardId }, 'k')
      const row: KnowledgeTable = {
        id: ctx.newId(),
        number,
        board_id: ctx.boardId,
        owner_type: owner,
        owner_id: ctx.target.id,
        ...body,
        source_type: null,
        source_id: null,
        source_title: null,
        source_version: null,
        source_kb_id: null,
        created_by: ctx.caller.id,
        created_at: ctx.now(),
        updated_at: ctx.now(),
      }
      await insertRow(ctx.db, 'knowledge', row)
      await recordKnowledge(ctx, 'added', row, { old: null, new: row.id })
      return itemOf(owner, { ...row, ref })
    },

    /** @throws DomainError ARCHIVED */
    delete: async ({ params }: KnowledgePath, ctx: Context): Promise<undefined> => {
      refuseArchived(ctx.target)
      const row = await storedKnowledge(ctx, params.knowledge_id)
      await deleteKnowledge(ctx.db, { id: row.id })
      await recordKnowledge(ctx, 'deleted', row, { old: row.id, new: null })
    },
  }
}

async function storedKnowledge(ctx: Context, id: string): Promise<KnowledgeRow> {
  const [row] = await knowledgeById(ctx.db, { id })
  if (row === undefined) throw notFound('knowledge', id)
  return row
}
