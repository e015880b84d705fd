import { brokenSequences, countArchivable, type DatabasePlace, readWithoutLock } from '@specboard/domain'
import { StorageError } from '@specboard/storage'
import { eventArchivesOf } from './event-archives.ts'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'
import { unwritable } from './folder-findings.ts'
import { sizeText } from './frame/output.ts'
import { placeOf, type Settings } from './settings.ts'

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
        `board ${board_id} has ${events} events from ${first ?? 0} to ${last ?? 0} but counted ${counted}: ` +
        'some are gone; restore the newest good backup ("specboard restore")',
    }))
  } catch (error) {
    if (error instanceof StorageError) return []
    return [{ name, ok: false, says: explain(error) }]
  }
}

/** The age of entries whose size is reported while nothing is archived, days. */
const proposedDays = 365

const dayMs = 86_400_000

/** Says how much of the event logs archiving would free, and whether the folder can be written to (work 5.1). */
export async function archivingFindings(settings: Settings, now: number): Promise<Finding[]> {
  const name = 'event archives'
  const archives = eventArchivesOf(settings)
  const days = archives?.days ?? proposedDays
  const before = new Date(now - days * dayMs).toISOString()
  const counted = await readWithoutLock(placeOf(settings), db => countArchivable(db, before)).catch(() => undefined)
  if (counted === undefined) return []
  const { entries, bytes } = counted
  const size = `${entries} entries older than ${days} days, about ${sizeText(bytes)}`
  if (archives === undefined)
    return [{ name, ok: true, says: `off; SPECBOARD_EVENTS_KEEP_DAYS=${days} would free ${size}` }]
  const refusal = unwritable(archives.folder)
  if (refusal === undefined) return [{ name, ok: true, says: `${size} will be moved to ${archives.folder}` }]
  return [
    {
      name,
      ok: false,
      says: `${archives.folder} cannot be written to (${refusal}); make the service's user its owner`,
    },
  ]
}
