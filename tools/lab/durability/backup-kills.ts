import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { brokenSequences, readWithoutLock, settleRestore } from '@specboard/domain'
import type { Lab } from '../harness/lab.ts'
import { killedAfter, launchCommand, type Service, succeeded } from '../harness/service.ts'
import { timed } from '../harness/statistics.ts'

/** What was found after the kills. */
export interface Outcome {
  /** Kills while a backup or a restore was running. */
  readonly backupKills: number
  readonly restoreKills: number
  /** Files under the name of a backup that could not be restored, and boards with gaps in their events. */
  readonly halfBackups: number
  /** Data folders that held neither the old state nor the new one. */
  readonly halfRestores: number
  /** Files of a killed run that the next run did not clean up. */
  readonly leftovers: number
}

/** The duration of an uninterrupted process, ms. */
const timeOf = (child: ChildProcess): Promise<number> => timed(() => succeeded(child))

/** Moments of a kill, spread over the time that a run takes. */
const moments = (count: number, ms: number): number[] =>
  Array.from({ length: count }, (_, index) => ((index + Math.random()) / count) * ms * 1.1)

/** Kills backups of a service that is written to, and restores of one that is stopped. */
export async function killWhileSaving(lab: Lab, kills: number, onKill: () => void = () => {}): Promise<Outcome> {
  const folder = lab.path('data')
  const backups = lab.path('backups')
  mkdirSync(backups)
  const save = () => launchCommand('backup', '--data-dir', folder, '-o', backups)
  const server = await lab.start()
  const stopped = new AbortController()
  const writing = write(server, stopped.signal)
  let backupKills = 0
  try {
    const ms = await timeOf(save())
    for (const moment of moments(kills, ms)) {
      if (await killedAfter(save(), moment)) backupKills++
      onKill()
    }
    await timeOf(save())
  } finally {
    stopped.abort()
    await writing
    await server.stop()
  }
  const files = readdirSync(backups)
  const whole = files.filter(name => name.endsWith('.zip'))
  let halfBackups = 0
  for (const name of whole) {
    const target = lab.path('checked')
    const restored = await timeOf(restore(join(backups, name), target)).then(
      () => true,
      () => false,
    )
    if (!restored || !(await isOneInstant(target))) halfBackups++
    rmSync(target, { recursive: true, force: true })
  }
  const restores = await killRestores(lab, join(backups, whole.at(-1)!), kills, onKill)
  return { backupKills, halfBackups, ...restores, leftovers: files.length - whole.length + restores.leftovers }
}

const restore = (file: string, folder: string): ChildProcess =>
  launchCommand('restore', file, '--data-dir', folder, '--force')

/** Kills restores into a folder that holds an older state: it must hold that one or the backup's. */
async function killRestores(lab: Lab, file: string, kills: number, onKill: () => void) {
  const folder = lab.path('restored')
  await lab.with('restored', async () => {})
  const oldBoards = await boardsIn(folder)
  const beside = lab.path('whole')
  const ms = await timeOf(restore(file, beside))
  const newBoards = await boardsIn(beside)
  let [restoreKills, halfRestores] = [0, 0]
  for (const moment of moments(kills, ms)) {
    if (await killedAfter(restore(file, folder), moment)) restoreKills++
    settleRestore(folder)
    const boards = await boardsIn(folder).catch(() => Number.NaN)
    if (boards !== oldBoards && boards !== newBoards) halfRestores++
    onKill()
  }
  await timeOf(restore(file, folder))
  if ((await boardsIn(folder)) !== newBoards) halfRestores++
  const leftovers = readdirSync(lab.root).filter(name => /\.part-|\.restoring$/.test(name)).length
  return { restoreKills, halfRestores, leftovers }
}

const boardsIn = (folder: string): Promise<number> =>
  readWithoutLock(folder, async db => (await db.selectFrom('boards').select('id').execute()).length)

/** Whether a folder's events are numbered without a gap, up to the boards' counters. */
const isOneInstant = (folder: string): Promise<boolean> =>
  readWithoutLock(folder, async db => (await brokenSequences(db)).length === 0)

/** Writes ideas side by side until told to stop. */
async function write({ client }: Service, signal: AbortSignal): Promise<void> {
  const { id: board_id } = await client.createBoard({ name: 'Crash', description: '' })
  const writer = async () => {
    while (!signal.aborted) await client.createIdeation({ board_id, title: 'Idea' })
  }
  await Promise.all([writer(), writer()])
}
