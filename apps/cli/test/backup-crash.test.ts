import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { expect } from 'vitest'
import { killWhileSaving } from '../../../tools/lab/durability/backup-kills.ts'
import { Lab } from '../../../tools/lab/harness/lab.ts'

/** Every kill starts a process, ms. */
const limit = 120_000

testOnSqlite(
  'kill -9 in backup and restore leaves no half thing (`pnpm crash --backup`)',
  async () => {
    await using lab = await Lab.open()
    const outcome = await killWhileSaving(lab, 3)
    expect(outcome).toMatchObject({ halfBackups: 0, halfRestores: 0, leftovers: 0 })
    expect(outcome.backupKills + outcome.restoreKills).toBeGreaterThan(0)
  },
  limit,
)
