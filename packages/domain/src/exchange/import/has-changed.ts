import type { Db } from '../../schema/database.ts'
import type { Ids } from './ids.ts'
import type { Format } from './source.ts'

/**
 * Actions of others on a board that do not affect how records of a file are checked, unless they concern one of these
 * records.
 */
const harmless =
  /^(?:(?:(?:ideation|refinement|spec|sprint|card)_)?(?:created|updated|moved|status_changed)|(?:comment|question)_added|attachment_uploaded)$/

/**
 * Whether the board of an import has changed since its records were checked, so that they may have to be checked again.
 * Archives bring numbers and log entries, for which every change counts.
 */
export async function hasChanged(
  db: Db,
  format: Format,
  { boardId, seq }: { readonly boardId: string; readonly seq: number },
  ids: Ids,
): Promise<boolean> {
  const entries = await db
    .selectFrom('events')
    .select(['entity_id', 'card_id', 'action', 'history_action'])
    .where('board_id', '=', boardId)
    .where('seq', '>', seq)
    .execute()
  if (entries.length === 0) return false
  if (format === 'specboard') return true
  const here = ids.here()
  return entries.some(
    ({ entity_id, card_id, action, history_action }) =>
      here.has(entity_id) ||
      (card_id !== null && here.has(card_id)) ||
      [action, history_action].some(name => name !== null && !harmless.test(name)),
  )
}
