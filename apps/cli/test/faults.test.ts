import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onPostgres } from '@specboard/storage/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tryDiskErrors } from '../../../tools/faults/disk-errors.ts'
import { hasStrace } from '../../../tools/faults/inject.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'specboard-faults-'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Every round starts two servers, one of them slowed down by strace, ms. */
const limit = 300_000

describe.skipIf(onPostgres || !hasStrace())('a disk that fails (needs strace; `pnpm faults` tries more)', () => {
  test(
    'a failed write, sync and open lose nothing that was acknowledged',
    async () => {
      const { trial, outcomes } = await tryDiskErrors(root, 3)
      expect(outcomes.reduce((sum, { struck }) => sum + struck, 0)).toBeGreaterThan(0)
      expect(trial.ledger.acknowledged).toBeGreaterThan(0)
      expect(trial.counts).toEqual({ lost: 0, half: 0, twice: 0, different: 0, alarms: 0, damaged: 0 })
    },
    limit,
  )
})
