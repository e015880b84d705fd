import { dialect } from '@specboard/storage'
import type { Context } from '../kernel/context.ts'
import { toJson } from '../lib/json.ts'
import { inPieces } from '../schema/in-pieces.ts'
import { onBoard } from '../schema/same-board.ts'
import { removeDesigns } from './architecture/removal.ts'
import type { PlanningType } from './history/record-entry.ts'

/**
 * Deletes the parts of planning records of one kind that have no foreign key to them: questions, knowledge, snapshots
 * and architecture designs. Their events stay (work 5).
 */
export async function deleteParts(ctx: Context, type: PlanningType, ids: readonly string[]): Promise<void> {
  await inPieces(ctx.db, ids, async piece => {
    for (const table of ['questions', 'knowledge', 'snapshots'] as const) {
      await ctx.db
        .deleteFrom(table)
        .where('owner_type', '=', type)
        .where(eb => dialect.inList(eb.ref('owner_id'), toJson(piece)))
        .where(onBoard(table, ctx.boardId))
        .execute()
    }
    await removeDesigns(ctx, type, piece)
  })
}

/** Deletes the refinements of an ideation that is being deleted, with their parts. */
export async function deleteRefinements(ctx: Context, ids: readonly string[]): Promise<void> {
  await deleteParts(ctx, 'refinement', ids)
  await inPieces(ctx.db, ids, piece =>
    ctx.db
      .deleteFrom('refinements')
      .where(eb => dialect.inList(eb.ref('id'), toJson(piece)))
      .where(onBoard('refinements', ctx.boardId))
      .execute(),
  )
}
