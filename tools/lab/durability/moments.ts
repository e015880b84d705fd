import { existsSync, type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { databaseFile } from '@specboard/storage'

/** A moment in the life of a data folder to wait for. */
export interface Moment {
  readonly reached: Promise<void>
  /** Whether it has been reached. */
  readonly isReached: () => boolean
  end(): void
}

/** SQLite begins to write the log back into the database. */
export const checkpointBegins = (folder: string): Moment =>
  moment(dirname(databaseFile(folder)), name => name === basename(databaseFile(folder)))

/** A start begins to copy the database before it migrates it. */
export const migrationBegins = (folder: string): Moment => moment(folder, name => /^before-.*\.part-/.test(name))

function moment(folder: string, isIt: (name: string) => boolean): Moment {
  let watcher: FSWatcher | undefined
  let isReached = false
  const reached = new Promise<void>(resolve => {
    if (!existsSync(folder)) return
    watcher = watch(folder, (_, name) => {
      if (name === null || !isIt(name)) return
      isReached = true
      watcher?.close()
      resolve()
    })
  })
  return { reached, isReached: () => isReached, end: () => watcher?.close() }
}
