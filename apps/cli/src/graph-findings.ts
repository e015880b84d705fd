import { type DatabasePlace, openService, readWithoutLock, sampleGraph, setAside } from '@specboard/domain'
import { StorageError } from '@specboard/storage'
import { explain } from './explain.ts'
import { type Finding, repairOf, type Use } from './finding.ts'
import { graphSettings } from './service-settings.ts'
import { placeOf, type Settings } from './settings.ts'
import { endLost } from './storage-lost.ts'
import { version } from './version.ts'

const name = 'graph'

/** The number of records of each type to compare. */
const perType = 50

/**
 * Compares the graph with the records that changed last; `fix` rebuilds the graphs that differ, unless a server uses
 * the folder.
 */
export async function graphFindings(settings: Settings, use: Use): Promise<Finding[]> {
  try {
    const { compared, stale } = await readWithoutLock(placeOf(settings), db => sampleGraph(db, perType))
    if (stale.length === 0) return [{ name, ok: true, says: `agrees with ${compared} records` }]
    if (!use.fix || use.served)
      return [
        {
          name,
          ok: false,
          says: `stale for ${stale.length} of ${compared} records; ${repairOf(use)} rebuilds it`,
          isMendable: true,
        },
      ]
    return [await rebuilt(settings, new Set(stale.map(({ boardId }) => boardId)))]
  } catch (error) {
    if (error instanceof StorageError) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}

/** How many dead letters are listed. */
const named = 20

/**
 * Lists the records that the graph lacks because processing them failed for good, or ended the process twice (walls 3).
 */
export async function letterFindings(place: DatabasePlace): Promise<Finding[]> {
  const name = 'set aside'
  try {
    const { total, first } = await readWithoutLock(place, db => setAside(db, named))
    if (total === 0) return [{ name, ok: true, says: 'no record' }]
    const records = first.map(({ type, id, boardId, reason }) => `${type} ${id} of the board ${boardId} (${reason})`)
    const more = total > first.length ? `; and ${total - first.length} more` : ''
    const says = `${total} records are not in the graph: ${records.join('; ')}${more}. Change them, or retry them with retry_kg_pending`
    return [{ name, ok: false, says }]
  } catch (error) {
    if (error instanceof StorageError) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}

async function rebuilt(settings: Settings, boards: ReadonlySet<string>): Promise<Finding> {
  const opened = await openService({
    ...placeOf(settings),
    announcements: settings.announcements,
    databaseLocks: settings.databaseLocks,
    secretKeyFile: settings.secretKeyFile,
    version,
    workers: false,
    graph: graphSettings(settings),
    onLoss: endLost,
  })
  try {
    const errors: string[] = []
    for (const board of boards) errors.push(...((await opened.graph.rebuild(board))?.errors ?? []))
    const says = `fixed: rebuilt for ${boards.size} boards`
    return errors.length === 0 ? { name, ok: true, says } : { name, ok: false, says: errors.join('; ') }
  } finally {
    await opened.close()
  }
}
