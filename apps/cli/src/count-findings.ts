import { type DatabasePlace, falseListCounts, readWithoutLock, recountLists, writeWithoutLock } from '@specboard/domain'
import { StorageError } from '@specboard/storage'
import { explain } from './explain.ts'
import { type Finding, repairOf, type Use } from './finding.ts'

const name = 'list counts'

/**
 * Finds wrong counts of lists; `fix` recounts them unless a server uses the folder, whose writes would have to wait
 * meanwhile.
 */
export async function countFindings(place: DatabasePlace, use: Use): Promise<Finding[]> {
  try {
    const wrong = await readWithoutLock(place, falseListCounts)
    if (wrong === 0) return [{ name, ok: true, says: 'true' }]
    if (!use.fix || use.served)
      return [{ name, ok: false, says: `${wrong} are not true; ${repairOf(use)} counts them anew`, isMendable: true }]
    await writeWithoutLock(place, recountLists)
    return [{ name, ok: true, says: `fixed: ${wrong} counted anew` }]
  } catch (error) {
    // What is missing, or will be migrated by the next start, has no counts yet.
    if (error instanceof StorageError && ['NO_DATABASE', 'DATABASE_OLDER'].includes(error.code)) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}
