import { type OpenedService, openService, type ServiceOptions } from '@specboard/domain'
import { graphSettings } from './service-settings.ts'
import { placeOf, type Settings } from './settings.ts'
import { endLost } from './storage-lost.ts'
import { version } from './version.ts'

/**
 * Opens the service for a command that works on the graph itself: nothing is served, and no background worker runs.
 * @throws SettingError for an embeddings endpoint without model or dimension, StorageError for the data folder
 */
export const openWithoutWorkers = (
  settings: Settings,
  onProblem?: ServiceOptions['onProblem'],
): Promise<OpenedService> =>
  openService({
    ...placeOf(settings),
    announcements: settings.announcements,
    databaseLocks: settings.databaseLocks,
    secretKeyFile: settings.secretKeyFile,
    version,
    workers: false,
    graph: graphSettings(settings),
    ...(onProblem !== undefined && { onProblem }),
    onLoss: endLost,
  })
