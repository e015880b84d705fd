import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { expect } from 'vitest'
import { killWhileNotifying } from '../../../tools/lab/durability/notification-kills.ts'
import { Lab } from '../../../tools/lab/harness/lab.ts'

/** Every kill starts another server, ms. */
const limit = 120_000

testOnSqlite(
  'kill -9 between mails sent and noted: none is lost, a repeat has the same identity (`pnpm crash --people`)',
  async () => {
    await using lab = await Lab.open()
    const outcome = await killWhileNotifying(lab, { persons: 4, kills: 2 })
    expect(outcome).toMatchObject({ notifications: 16, lost: 0, wrong: 0 })
    expect(outcome.unnoted).toBeGreaterThan(0)
    expect(outcome.repeated).toBe(outcome.mails - outcome.notifications)
    expect(outcome.repeated).toBeGreaterThan(0)
  },
  limit,
)
