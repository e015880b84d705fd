import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createClient } from '@specboard/client'
import { onPostgres } from '@specboard/storage/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { earlyAnswers } from './support/durability-trace.ts'

const main = fileURLToPath(new URL('../src/main.js', import.meta.url))
const weaken = fileURLToPath(new URL('support/weaken.ts', import.meta.url))
const traced = spawnSync('strace', ['-V']).status === 0

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-durability-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Traces a server while clients write to it; returns the trace. */
async function traceOfWrites(nodeOptions: readonly string[]): Promise<string> {
  const trace = join(folder, 'trace')
  const child = spawn(
    'strace',
    [
      '-f',
      '-y',
      '-qq',
      '-s',
      '24',
      '-o',
      trace,
      '-e',
      'trace=fsync,fdatasync,pwrite64,write,writev,sendto',
      process.execPath,
      ...nodeOptions,
      main,
      'serve',
      '--port',
      '0',
      '--data-dir',
      join(folder, 'data'),
      '--log-level',
      'silent',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  )
  let key = ''
  for await (const line of createInterface({ input: child.stdout })) {
    key = /^API key: (\S+)/.exec(line)?.[1] ?? key
    const url = /serves on (http:\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    const client = createClient({ url, key })
    const board = await client.createBoard({ name: 'Traced', description: '' })
    const write = (writer: number) => async (previous: Promise<unknown>, index: number) => {
      await previous
      return client.createIdeation({ board_id: board.id, title: `${writer}.${index}` })
    }
    await Promise.all(
      Array.from({ length: 6 }, (_, writer) =>
        Array.from({ length: 10 }, (_, index) => index).reduce(
          (previous, index) => write(writer)(previous, index),
          Promise.resolve<unknown>(undefined),
        ),
      ),
    )
    break
  }
  const ended = new Promise(resolve => child.once('exit', resolve))
  process.kill(-child.pid!, 'SIGTERM')
  await ended
  return readFileSync(trace, 'utf8')
}

describe.skipIf(onPostgres || !traced)(
  'no 2xx of a write is sent before the fsync that covers it (needs strace)',
  () => {
    test('with synchronous=FULL, as in production', async () => {
      const { answers, early, syncs } = earlyAnswers(await traceOfWrites([]))
      expect(answers).toBeGreaterThanOrEqual(61)
      expect(syncs).toBeGreaterThan(0)
      expect(early).toBe(0)
    })

    test('the check can fail: with synchronous=NORMAL answers are sent early', async () => {
      const { answers, early } = earlyAnswers(await traceOfWrites(['--import', weaken]))
      expect(answers).toBeGreaterThanOrEqual(61)
      expect(early).toBeGreaterThan(0)
    })
  },
)
