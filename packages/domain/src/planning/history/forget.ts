import { dialect } from '@specboard/storage'
import type { Db } from '../../schema/database.ts'
import type { HistoryType } from './operations.ts'

/**
 * Removes the histories of deleted records from the event log. The rows stay, for the board's activity and because its
 * sequence must not have gaps.
 */
export async function forgetHistory(db: Db, type: HistoryType, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('events')
    .set({ history_action: null, changes: null, summary: null })
    .where('entity_type', '=', type)
    .where(eb => dialect.inList(eb.ref('entity_id'), JSON.stringify(ids)))
    .execute()
}
