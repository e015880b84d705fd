import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { brokenSequences, readWithoutLock } from '@specboard/domain'
import { latencies } from '../bench/latencies.ts'
import { p50, percentile } from '../bench/percentiles.ts'
import { launchCommand, startProduct, succeeded } from '../bench/processes.ts'

const writesPerSecond = 200
const seconds = 10

/** With and without a backup in turns, so that other work on the machine meets both. */
const turns = 3

/**
 * Measures writes to a folder's service with and without backups of it at the same time, and restores the last of them.
 * @throws Error if its events are not numbered without a gap: it is not of one instant
 */
export async function reportBackup(folder: string, key: string): Promise<void> {
  const server = await startProduct(folder)
  const client = createClient({ url: server.url, key })
  const backups = join(folder, '..', 'backups')
  try {
    const { id: board_id } = await client.createBoard({ name: 'Written to', description: '' })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const url = `${server.url}/api/v1/boards/${board_id}/ideations`
    const write = () =>
      latencies({ url, method: 'POST', headers, body: JSON.stringify({ title: 'Idea' }) }, seconds, writesPerSecond)
    const alone: number[] = []
    const beside: number[] = []
    let made = 0
    for (let turn = 0; turn < turns; turn++) {
      alone.push(...(await write()))
      const stopped = new AbortController()
      const saving = saveAgain(folder, backups, stopped.signal)
      beside.push(...(await write()))
      stopped.abort()
      made += await saving
    }
    const times = (of: readonly number[]) =>
      `p50 ${p50(of).toFixed(1)} ms, p99 ${percentile(of, 0.99).toFixed(1)} ms of ${of.length} in ${turns * seconds} s`
    const ratio = percentile(beside, 0.99) / percentile(alone, 0.99)
    console.log(`${writesPerSecond} writes a second, alone: ${times(alone)}`)
    console.log(`beside ${made} backups: ${times(beside)}; p99 ${ratio.toFixed(2)} × (goal 2 ×)`)
    const events = await eventsWithoutGap(join(backups, readdirSync(backups).at(-1)!), join(folder, '..', 'restored'))
    console.log(`the last backup was restored: ${events} events without a gap`)
  } finally {
    await server.stop()
  }
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
    const { count } = await db
      .selectFrom('events')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  })
}
