import { type DatabasePlace, type OtherId, otherIds, readWithoutLock } from '@specboard/domain'
import { StorageError } from '@specboard/storage'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'

const name = 'ids'

/** How many boards and records are listed. */
const maxListed = 20

const idText = ({ type, id, board_id }: OtherId): string =>
  type === 'board' || board_id === null
    ? `${type} ${JSON.stringify(id)}`
    : `${type} ${JSON.stringify(id)} of the board ${JSON.stringify(board_id)}`

/** Lists the boards and records whose ids are not UUIDs in lower case (walls 1). */
export async function idFindings(place: DatabasePlace): Promise<Finding[]> {
  try {
    const { total, first } = await readWithoutLock(place, db => otherIds(db, maxListed))
    if (total === 0) return [{ name, ok: true, says: 'all lower-case UUIDs' }]
    const more = total > first.length ? `; and ${total - first.length} more` : ''
    const says =
      `${total} are not lower-case UUIDs: ${first.map(idText).join('; ')}${more}. ` +
      'They came from an archive; export such a board, import it with keep_ids=false for new ids, and delete the old one'
    return [{ name, ok: false, says }]
  } catch (error) {
    // A database that is missing, or will be migrated by the next start, cannot be read yet.
    if (error instanceof StorageError && ['NO_DATABASE', 'DATABASE_OLDER'].includes(error.code)) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}
