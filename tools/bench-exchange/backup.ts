import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@specboard/client'
import { latencies } from '../bench/latencies.ts'
import { p50, percentile } from '../bench/percentiles.ts'
import { startProduct } from '../bench/processes.ts'

const main = fileURLToPath(new URL('../../apps/cli/src/main.js', import.meta.url))

const writesPerSecond = 200
const seconds = 10

/** With and without a backup in turns, so that other work on the machine meets both. */
const turns = 3

/** Measures writes to a folder's service with and without backups of it at the same time. */
export async function reportBackup(folder: string, key: string): Promise<void> {
  const server = await startProduct(folder)
  const client = createClient({ url: server.url, key })
  try {
    const { id: board_id } = await client.createBoard({ name: 'Written to', description: '' })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const url = `${server.url}/api/v1/boards/${board_id}/ideations`
    const write = () =>
      latencies({ url, method: 'POST', headers, body: JSON.stringify({ title: 'Idea' }) }, seconds, writesPerSecond)
    const alone: number[] = []
    const beside: number[] = []
    let backups = 0
    for (let turn = 0; turn < turns; turn++) {
      alone.push(...(await write()))
      const stopped = new AbortController()
      const saving = saveAgain(folder, join(folder, '..', 'backups'), stopped.signal)
      beside.push(...(await write()))
      stopped.abort()
      backups += await saving
    }
    const times = (of: readonly number[]) => `p50 ${p50(of).toFixed(1)} ms, p99 ${percentile(of, 0.99).toFixed(1)} ms`
    const ratio = percentile(beside, 0.99) / percentile(alone, 0.99)
    console.log(`${writesPerSecond} writes a second, alone: ${times(alone)} of ${alone.length}`)
    console.log(`beside ${backups} backups: ${times(beside)} of ${beside.length}; p99 ${ratio.toFixed(2)} × (goal 2 ×)`)
  } finally {
    await server.stop()
  }
}

/** Makes backups one after the other until told to stop; returns how many were begun. */
async function saveAgain(folder: string, into: string, signal: AbortSignal): Promise<number> {
  let count = 0
  while (!signal.aborted) {
    count++
    const saving = spawn(process.execPath, [main, 'backup', '--data-dir', folder, '-o', `${into}/`, '--keep', '1'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const code = await new Promise(resolve => saving.once('exit', resolve))
    if (code !== 0) throw new Error(`The backup ended with ${code}.`)
  }
  return count
}
