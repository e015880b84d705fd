import { dialect } from './storage/dialect.ts'
import type { Db } from './storage/executor.ts'

/**
 * Takes what hangs on deleted records without a foreign key: questions, knowledge, snapshots, architecture
 * designs and their history. What the board's activity shows of them stays, so that the sequence of events
 * has no gap.
 */
export async function deleteParts(db: Db, ownerIds: readonly string[]): Promise<void> {
  const ids = JSON.stringify(ownerIds)
  for (const table of ['questions', 'knowledge', 'snapshots'] as const)
    await db
      .deleteFrom(table)
      .where(eb => dialect.inList(eb.ref('owner_id'), ids) as never)
      .execute()
  await db
    .deleteFrom('architecture_designs')
    .where(eb => dialect.inList(eb.ref('parent_id'), ids) as never)
    .execute()
  await db
    .updateTable('events')
    .set({ history_action: null, changes: null, summary: null })
    .where('entity_type', 'in', ['ideation', 'refinement', 'spec', 'sprint'])
    .where(eb => dialect.inList(eb.ref('entity_id'), ids) as never)
    .execute()
}
