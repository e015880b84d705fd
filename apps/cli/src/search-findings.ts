import { checkSearch, type DatabasePlace, readWithoutLock, rebuildSearch, writeWithoutLock } from '@specboard/domain'
import { StorageError } from '@specboard/storage'
import { explain } from './explain.ts'
import { type Finding, repairOf, type Use } from './finding.ts'

const name = 'search index'

/**
 * Finds wrong records in the search index; `fix` rebuilds the index unless a server uses the folder, whose writes would
 * have to wait meanwhile.
 */
export async function searchFindings(place: DatabasePlace, use: Use): Promise<Finding[]> {
  try {
    const { wrong, waiting } = await readWithoutLock(place, checkSearch)
    if (wrong === 0) return [{ name, ok: true, says: waiting === 0 ? 'true' : `true; ${waiting} changes wait for it` }]
    if (!use.fix || use.served)
      return [
        {
          name,
          ok: false,
          says: `${wrong} records are wrong in it; ${repairOf(use)} builds it anew`,
          isMendable: true,
        },
      ]
    await writeWithoutLock(place, rebuildSearch)
    return [{ name, ok: true, says: `fixed: built anew, ${wrong} records were wrong` }]
  } catch (error) {
    // What is missing, or will be migrated by the next start, has no index yet.
    if (error instanceof StorageError && ['NO_DATABASE', 'DATABASE_OLDER'].includes(error.code)) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}
