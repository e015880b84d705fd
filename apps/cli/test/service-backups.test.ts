/** The backups that a running service makes when it is asked (board 5). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeOnSqlite } from '@specboard/storage/on-sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { World } from './support/world.ts'

describeOnSqlite('backups by operations', () => {
  let root: string

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'specboard-backups-'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  /** A service with a folder of backups, which makes none by itself meanwhile. */
  const withFolder = async (backupDir: string, run: (world: World) => Promise<void>) => {
    const world = await World.start({ backupDir, backupKeep: 2, backupAt: '02:30' })
    try {
      await run(world)
    } finally {
      await world.stop()
    }
  }

  test('one is made when it is asked for, beside the schedule, and the audit tells of it', () =>
    withFolder(join(root, 'ready'), async world => {
      const before = await world.ok('get_backups', {})
      expect(before).toMatchObject({ state: 'ready', late: false, every_hours: 24, keep: 2, items: [] })
      expect(before).toMatchObject({ last_success_at: null, last_failure: null, running_since: null })
      expect(await world.ok('create_backup', {})).toEqual({ state: 'ready', running: true })
      const backups = await eventually(async () => {
        const now = await world.ok('get_backups', {})
        expect(now).toMatchObject({ running_since: null, items: [{}] })
        return now
      })
      const [item] = backups.items
      expect(backups).toMatchObject({
        last_success_at: item.created_at,
        last_success_gone: false,
        next_at: before.next_at,
      })
      expect(item.size_bytes).toBeGreaterThan(0)
      expect(await world.ok('list_audit', { action: 'backup_begun' })).toMatchObject([{ target_id: 'backup' }])
    }))

  test('one is made at a time, and no more are kept than the settings say', () =>
    withFolder(join(root, 'kept'), async world => {
      const names = new Set<string>()
      for (const count of [1, 2, 2]) {
        await Promise.all([world.ok('create_backup', {}), world.ok('create_backup', {})])
        const { items } = await eventually(async () => {
          const now = await world.ok('get_backups', {})
          expect(now).toMatchObject({ running_since: null, items: expect.arrayContaining([{ ...now.items[0] }]) })
          expect(names.has(now.items[0].name)).toBe(false)
          return now
        })
        expect(items).toHaveLength(count)
        names.add(items[0].name)
      }
      expect(names.size).toBe(3)
    }))

  test('a folder that cannot be written to is told, and so is why one failed', async () => {
    writeFileSync(join(root, 'file'), '')
    await withFolder(join(root, 'file', 'below'), async world => {
      expect(await world.ok('get_backups', {})).toMatchObject({ state: 'unwritable', items: [] })
      await world.ok('create_backup', {})
      await eventually(async () => {
        const { last_failure, last_failure_at } = await world.ok('get_backups', {})
        expect([last_failure, last_failure_at]).toEqual([expect.any(String), expect.any(String)])
      })
    })
  })

  test('a service without a folder says so, and makes none', async () => {
    const world = await World.start()
    try {
      const nothing = { every_hours: null, keep: null, next_at: null, items: [] }
      expect(await world.ok('get_backups', {})).toMatchObject({ state: 'off', late: false, ...nothing })
      expect(await world.ok('create_backup', {})).toEqual({ state: 'off', running: false })
    } finally {
      await world.stop()
    }
  })
})
