import { dialect } from '@specboard/storage'
import type { Context } from '../kernel/context.ts'
import { removeDesigns } from './architecture/removal.ts'
import type { PlanningType } from './history/record-entry.ts'

/**
 * Deletes the parts of planning records of one kind that have no foreign key to them: questions, knowledge, snapshots
 * and architecture designs. Their events stay (work 5).
 */
export async function deleteParts(ctx: Context, type: PlanningType, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of ['questions', 'knowledge', 'snapshots'] as const) {
    await ctx.db
      .deleteFrom(table)
      .where('owner_type', '=', type)
      .where(eb => dialect.inList(eb.ref('owner_id'), JSON.stringify(ids)))
      .execute()
  }
  await removeDesigns(ctx, type, ids)
}
