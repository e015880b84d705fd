import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { Parent } from './design.ts'

/** Removes the designs of records that are deleted, with their versions and payloads (A.6). */
export async function removeDesigns(ctx: Context, type: Parent['type'], parentIds: readonly string[]): Promise<void> {
  if (parentIds.length === 0) return
  await ctx.db
    .deleteFrom('architecture_designs')
    .where('parent_type', '=', type)
    .where(eb => dialect.inList(eb.ref('parent_id'), sql.val(JSON.stringify(parentIds))))
    .where(onBoard('architecture_designs', ctx.boardId))
    .execute()
}
