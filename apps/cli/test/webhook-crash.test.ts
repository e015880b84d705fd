import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterEach, beforeEach, expect } from 'vitest'
import { killWhileSending } from '../../../tools/crash-webhooks/kills.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'specboard-webhooks-'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Every kill starts another server, ms. */
const limit = 120_000

testOnSqlite(
  'kill -9 while events are sent: each comes at least once, in order, none is skipped (`pnpm crash --webhooks`)',
  async () => {
    const outcome = await killWhileSending(join(root, 'data'), { events: 120, kills: 3 })
    expect(outcome.events).toBeGreaterThanOrEqual(120)
    expect(outcome.messages).toBeGreaterThanOrEqual(outcome.events)
    expect(outcome).toMatchObject({ lost: 0, disordered: 0, repeatedLate: 0, wrong: 0 })
  },
  limit,
)
