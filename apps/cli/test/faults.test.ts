import { onPostgres } from '@specboard/storage/testing'
import { describe, expect, test } from 'vitest'
import { tryDiskErrors } from '../../../tools/lab/faults/disk-errors.ts'
import { hasStrace } from '../../../tools/lab/faults/inject.ts'
import { Lab } from '../../../tools/lab/harness/lab.ts'

/** Every round starts two servers, one of them slowed down by strace, ms. */
const limit = 300_000

describe.skipIf(onPostgres || !hasStrace())('a disk that fails (needs strace; `pnpm faults` tries more)', () => {
  test(
    'a failed write, sync and open lose nothing that was acknowledged',
    async () => {
      await using lab = await Lab.open()
      const { trial, outcomes } = await tryDiskErrors(lab, 3)
      expect(outcomes.reduce((sum, { struck }) => sum + struck, 0)).toBeGreaterThan(0)
      expect(trial.ledger.acknowledged).toBeGreaterThan(0)
      expect(trial.counts).toEqual({ lost: 0, half: 0, twice: 0, different: 0, alarms: 0, damaged: 0 })
    },
    limit,
  )
})
