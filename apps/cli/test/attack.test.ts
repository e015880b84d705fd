import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Only ends a run that would wait for ever, ms. */
const limit = 300_000

test(
  'the short form of pnpm attack finds answers as promised and a service that works (walls 10)',
  async () => {
    const tool = fileURLToPath(new URL('../../../tools/lab/main.ts', import.meta.url))
    const engine = process.env.SPECBOARD_TEST_ENGINE ?? 'sqlite'
    const child = spawn(process.execPath, [tool, 'attack', '--short', `--engine=${engine}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
    const table = await text(child.stdout)
    console.log(table)
    expect([await ended, table.split('\n').filter(line => line.startsWith('NOT held'))]).toEqual([0, []])
  },
  limit,
)
