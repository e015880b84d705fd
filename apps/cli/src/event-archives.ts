import { join } from 'node:path'
import type { Settings } from './settings.ts'

/** Which entries of event logs are archived, and where; undefined when they stay (work 5.1). */
export const eventArchivesOf = ({ dataDir, eventsKeepDays, eventsArchiveDir }: Settings) =>
  eventsKeepDays === undefined
    ? undefined
    : { days: eventsKeepDays, folder: eventsArchiveDir ?? join(dataDir, 'event-archives') }
