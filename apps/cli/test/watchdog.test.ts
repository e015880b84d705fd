import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { watchOperations } from '../src/watchdog.ts'
import { ServerProcess } from './support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'specboard-watchdog-'))
const limit = 180_000

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(
  'a process whose operations fail for everybody ends itself and says why (walls 2)',
  async () => {
    const broken = pathToFileURL(join(import.meta.dirname, 'support/break-operations.ts'))
    const server = await ServerProcess.start(folder, 'silent', { NODE_OPTIONS: `--import=${broken}` }, true)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    const { code, errors } = await server.end('SIGUSR2')
    expect(code).toBe(1)
    expect(errors).toContain('every operation fails (TypeError: broken by the test)')
  },
  limit,
)

test('only failures in a row count', async () => {
  vi.useFakeTimers()
  try {
    const outcomes = [new Error('1'), new Error('2'), undefined, new Error('3'), new Error('4'), new Error('5')]
    const failures: unknown[] = []
    watchOperations({ selfTest: async () => outcomes.shift(), onFailing: cause => failures.push(cause) })
    await vi.advanceTimersByTimeAsync(25_000)
    expect(failures).toEqual([])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(failures).toEqual([new Error('5')])
  } finally {
    vi.useRealTimers()
  }
})
