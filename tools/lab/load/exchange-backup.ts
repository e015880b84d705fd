import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brokenSequences, readWithoutLock } from '@specboard/domain'
import type { Lab } from '../harness/lab.ts'
import { launchCommand, succeeded } from '../harness/service.ts'
import { percentile, ratio } from '../harness/statistics.ts'
import { latencies } from './autocannon.ts'

const perSecond = 200

/** The number of turns with and without a backup, so that other work on the machine affects both. */
const turns = 3

/**
 * Measures writes to a service with and without backups of it at the same time, and restores the last of them.
 * @throws Error if its events are not numbered without a gap, because then it is not a copy of one instant
 */
export async function reportBackup(lab: Lab, name: string, seconds: number): Promise<void> {
  const { client, url, headers } = await lab.start(name)
  const backups = lab.path('backups')
  const { id: board_id } = await client.createBoard({ name: 'Written to', description: '' })
  const load = { url: `${url}/api/v1/boards/${board_id}/ideations`, method: 'POST', headers } as const
  const write = () => latencies({ ...load, body: JSON.stringify({ title: 'Idea' }) }, seconds, perSecond)
  const alone: number[] = []
  const beside: number[] = []
  let backupCount = 0
  for (let turn = 0; turn < turns; turn++) {
    alone.push(...(await write()))
    const stopped = new AbortController()
    const saving = saveAgain(lab.path(name), backups, stopped.signal)
    beside.push(...(await write()))
    stopped.abort()
    backupCount += await saving
  }
  const writes = `${perSecond} writes a second for ${turns * seconds} s`
  lab.report.times(`${writes}, alone`, alone, { writes: alone.length })
  const more = ratio(percentile(beside, 0.99), percentile(alone, 0.99), 2)
  lab.report.times(`… beside ${backupCount} backups`, beside, { writes: beside.length, p99: more, goal: 'p99 2 ×' })
  const events = await eventsWithoutGap(join(backups, readdirSync(backups).at(-1)!), lab.path('restored'))
  lab.report.figure('the last backup, restored', { 'events without a gap': events })
}

/** Makes backups one after the other until told to stop; returns how many were begun. */
async function saveAgain(folder: string, into: string, signal: AbortSignal): Promise<number> {
  let count = 0
  while (!signal.aborted) {
    count++
    await succeeded(launchCommand('backup', '--data-dir', folder, '-o', `${into}/`, '--keep', '1'))
  }
  return count
}

/** Restores a backup and counts its events. */
async function eventsWithoutGap(file: string, folder: string): Promise<number> {
  await succeeded(launchCommand('restore', file, '--data-dir', folder))
  return readWithoutLock(folder, async db => {
    const broken = await brokenSequences(db)
    if (broken.length > 0) throw new Error(`Boards with gaps in their events: ${JSON.stringify(broken)}`)
    const counted = db.selectFrom('events').select(eb => eb.fn.countAll<number>().as('count'))
    return (await counted.executeTakeFirstOrThrow()).count
  })
}
