import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { migratedFolder } from '../../schema/empty-database.testing.ts'
import { Backups } from './schedule.ts'

let folder: string
let backups: Backups | undefined

beforeEach(async () => {
  folder = await migratedFolder('specboard-schedule-')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date(2026, 2, 1, 23, 59) })
})

afterEach(async () => {
  await backups?.stop()
  vi.useRealTimers()
  await rm(folder, { recursive: true, force: true })
})

test.each([
  [24, { hours: 2, minutes: 30 }, 151],
  [0.5, { hours: 0, minutes: 15 }, 16],
  [48, { hours: 23, minutes: 59 }, 24 * 60],
])('the first backup, every %d hours at %j, is made at its time', async (hours, at, minutes) => {
  backups = new Backups({
    folder,
    attachmentsUrl: undefined,
    version: '1.2.3',
    settings: { into: join(folder, 'backups'), everyMs: hours * 3_600_000, at, keep: 7 },
    isShared: false,
    clock: Date.now,
    onFault: () => {},
  })
  backups.start()
  await vi.advanceTimersByTimeAsync((minutes - 1) * 60_000 - 1)
  expect(backups.isRunning).toBe(false)
  await vi.advanceTimersByTimeAsync(60_001)
  expect(backups.isRunning).toBe(true)
})
