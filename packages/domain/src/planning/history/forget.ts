import { dialect } from '@specboard/storage'
import type { Db } from '../../schema/database.ts'
import type { HistoryType } from './operations.ts'

/**
 * Takes the histories of deleted records out of the event log. The entries stay as the board's activity shows
 * them, so that its sequence has no gap.
 */
export async function forgetHistory(db: Db, type: HistoryType, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('events')
    .set({ history_action: null, changes: null, summary: null })
    .where('entity_type', '=', type)
    .where(eb => dialect.inList(eb.ref('entity_id'), JSON.stringify(ids)))
    .execute()
}
