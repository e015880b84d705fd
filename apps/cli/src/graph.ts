import { refuseServed } from '@specboard/domain'
import { keepFilesPrivate } from '@specboard/storage'
import { Presets, SingleBar } from 'cli-progress'
import { Failure } from './frame/failure.ts'
import { printJson } from './frame/output.ts'
import { placeOf, type Settings } from './settings.ts'
import { openWithoutWorkers } from './without-workers.ts'

/**
 * `specboard kg rebuild`: rebuilds the graphs of all boards, or of one, from their records, with a progress bar;
 * exit code 1 when a record failed. After Ctrl-C it can simply be started again.
 * @throws StorageError FOLDER_LOCKED while a server uses the folder, DATABASE_IN_USE while nodes serve the database
 */
export async function rebuildGraphs(
  settings: Settings,
  { board: only, json = false }: { readonly board?: string; readonly json?: boolean },
): Promise<number> {
  keepFilesPrivate()
  await refuseServed(placeOf(settings))
  const opened = await openWithoutWorkers(settings, problem => console.error(`specboard: ${problem}`))
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.once('SIGINT', stop)
  try {
    const boards = await opened.graph.boards()
    const chosen = only === undefined ? boards : boards.filter(id => id === only)
    if (chosen.length === 0)
      throw new Failure('NOT_FOUND', `there is no board${only === undefined ? '' : ` ${only}`} here.`)
    const errors: string[] = []
    let records = 0
    for (const [index, boardId] of chosen.entries()) {
      if (stopped.signal.aborted) break
      const bar = new SingleBar(
        { format: `board ${index + 1} of ${chosen.length} [{bar}] {value}/{total} records`, stream: process.stderr },
        Presets.shades_classic,
      )
      bar.start(0, 0)
      const rebuilt = await opened.graph.rebuild(boardId, {
        signal: stopped.signal,
        onProgress: ({ done, total }) => {
          bar.setTotal(total)
          bar.update(done)
        },
      })
      bar.stop()
      records += rebuilt?.records ?? 0
      errors.push(...(rebuilt?.errors ?? []))
    }
    if (json) printJson({ records, boards: chosen.length, failed: errors, stopped: stopped.signal.aborted })
    else
      console.log(
        `rebuilt ${records} records of ${chosen.length} boards, ${errors.length} failed${stopped.signal.aborted ? ', stopped before the end' : ''}`,
      )
    for (const error of errors) console.error(error)
    return errors.length > 0 || stopped.signal.aborted ? 1 : 0
  } finally {
    process.off('SIGINT', stop)
    await opened.close()
  }
}
