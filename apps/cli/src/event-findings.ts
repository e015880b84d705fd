import { brokenSequences, type DatabasePlace, readWithoutLock } from '@specboard/domain'
import { StorageError } from '@specboard/storage'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'

/** Finds boards whose events are not numbered without a gap. */
export async function eventFindings(place: DatabasePlace): Promise<Finding[]> {
  const name = 'event sequences'
  try {
    const broken = await readWithoutLock(place, brokenSequences)
    if (broken.length === 0) return [{ name, ok: true, says: 'without gaps' }]
    return broken.map(({ board_id, counted, first, last, events }) => ({
      name,
      ok: false,
      says:
        `board ${board_id} has ${events} events from ${first ?? 0} to ${last ?? 0} and counted ${counted}: ` +
        'some are gone; restore the newest good backup ("specboard restore")',
    }))
  } catch (error) {
    if (error instanceof StorageError) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}
