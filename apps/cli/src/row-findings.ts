import { type BadRow, badRows, type DatabasePlace, readWithoutLock } from '@specboard/domain'
import { StorageError } from '@specboard/storage'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'

const name = 'records'

/** How many records are named. */
const maxListed = 20

const rowText = ({ type, id, board_id, columns }: BadRow): string =>
  `${type} ${id}${type === 'board' || board_id === null ? '' : ` of the board ${board_id}`} (${columns.join(', ')})`

/**
 * Lists records with contents that their kind does not allow, such as an unknown status, or a text that should be JSON
 * and is not.
 */
export async function rowFindings(place: DatabasePlace): Promise<Finding[]> {
  try {
    const { total, first } = await readWithoutLock(place, db => badRows(db, maxListed))
    if (total === 0) return [{ name, ok: true, says: 'all valid for their kind' }]
    const more = total > first.length ? `; and ${total - first.length} more` : ''
    const says =
      `${total} invalid for their kind: ${first.map(rowText).join('; ')}${more}. ` +
      'Restore the newest good backup into another folder and take the columns from there, or rewrite them'
    return [{ name, ok: false, says }]
  } catch (error) {
    // A database that is absent, damaged, or will be migrated by the next start is reported elsewhere.
    if (error instanceof StorageError) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}
