import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { expect } from 'vitest'
import { killWhileSending } from '../../../tools/lab/durability/webhook-kills.ts'
import { Lab } from '../../../tools/lab/harness/lab.ts'

/** Every kill starts another server, ms. */
const limit = 120_000

testOnSqlite(
  'kill -9 while events are sent: each comes at least once, in order, none is skipped (`pnpm crash --webhooks`)',
  async () => {
    await using lab = await Lab.open()
    const outcome = await killWhileSending(lab, { events: 120, kills: 3 })
    expect(outcome.events).toBeGreaterThanOrEqual(120)
    expect(outcome.messages).toBeGreaterThanOrEqual(outcome.events)
    expect(outcome).toMatchObject({ lost: 0, disordered: 0, repeatedLate: 0, wrong: 0 })
  },
  limit,
)
