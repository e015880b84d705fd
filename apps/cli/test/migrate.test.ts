/** `specboard migrate`: a whole service from one database into the other and back (exchange 3). */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { moveService, readWithoutLock, secretKeyName } from '@specboard/domain'
import { databaseFile } from '@specboard/storage'
import { lockTable, onServer, type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SecretKey } from '../../../packages/domain/src/kernel/secret-key.ts'
import { openDatabase } from '../../../packages/domain/src/schema/database.ts'
import { migrations } from '../../../packages/domain/src/schema/migrations/all.ts'
import { runCommandIn, startCommand } from './support/command.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

const missing = whyNoServer()

/** A service is copied once or twice in each test, and the command line started up to two times, ms. */
const timeout = 300_000

/** How to wait for a command to reach a state. */
const patience = { timeout: 30_000, interval: 10 } as const

/** The newest fixture of upgrades: a database with rows in every table. */
const fixtures = join(import.meta.dirname, 'upgrades')
const fixture = readdirSync(fixtures)
  .filter(name => name.replace('.db.br', '') in migrations)
  .toSorted()
  .at(-1)!

describe.skipIf(missing !== undefined)(`migrate${missing === undefined ? '' : `: ${missing}`}`, { timeout }, () => {
  let server: TestServer
  let root: string
  let count = 0

  beforeAll(async () => {
    server = await testServer()
    root = mkdtempSync(join(tmpdir(), 'specboard-migrate-'))
  })

  afterAll(async () => {
    // Before it ends, the server writes every table of all these databases to the disk.
    await server?.stop()
    rmSync(root, { recursive: true, force: true })
  }, timeout)

  const newFolder = () => join(root, `folder-${++count}`)

  /** A data folder with the database of the fixture, of this version. */
  async function filledFolder(): Promise<string> {
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(databaseFile(folder), brotliDecompressSync(readFileSync(join(fixtures, fixture))))
    writeFileSync(join(folder, secretKeyName), Buffer.alloc(32), { mode: 0o600 })
    const key = SecretKey.of(folder)
    const database = await openDatabase({ folder })
    // The key of the fixture's own secrets is not known.
    await database.write(async db => {
      for (const { name } of await db.selectFrom('secrets').select('name').execute()) {
        const value = key.wrap(name, Buffer.alloc(32, 1))
        await db.updateTable('secrets').set({ value }).where('name', '=', name).execute()
      }
    })
    await database.close()
    return folder
  }

  /** The same folder with so much data that copying it takes a while. */
  async function largeFolder(): Promise<string> {
    const folder = await filledFolder()
    const database = new SqliteDatabase(databaseFile(folder))
    database.exec(`insert into audit (id, actor_id, actor_name, action, target_id, fields, created_at)
      with recursive copies (n) as (select 1 union all select n + 1 from copies where n < 15000)
      select 'copy-' || n, 'actor', 'Actor', 'made', 'target', '[]', '${at}' from copies`)
    database.close()
    return folder
  }

  const at = '2030-01-01T00:00:00.000Z'

  test('there and back, every table is the same, and search and graph are true', async () => {
    const from = { folder: await filledFolder() }
    const shared = { folder: newFolder(), databaseUrl: await server.database() }
    const back = { folder: newFolder() }
    const there = await moveService({ from, to: shared, at })
    const again = await moveService({ from: shared, to: back, at })
    expect(there.tables.length).toBeGreaterThan(50)
    expect(there.tables.filter(({ rows }) => rows === 0)).toEqual([])
    expect(again.tables.toSorted(byName)).toEqual(there.tables.toSorted(byName))
    const terms = (place: typeof from) =>
      readWithoutLock(place, async db => (await db.selectFrom('kg_nodes').select('ordinal').execute()).length)
    expect(await terms(back)).toBe(await terms(from))
  })

  test('what was moved goes on: keys, attachments, numbers, search', async () => {
    const world = await World.start({ databaseUrl: undefined })
    const scene = await Scene.on(world)
    const card_id = await scene.card()
    const file = new File(['the bytes'], 'notes.txt', { type: 'text/plain' })
    const attachment = await world.ok('upload_attachment', { board_id: scene.boardId, card_id, file })
    const before = await world.ok('get_card', { card_id })
    await world.running.stop()
    const to = { folder: newFolder(), databaseUrl: await server.database() }
    const moved = await moveService({ from: { folder: world.folder }, to, at })
    expect(moved).toMatchObject({ files: 1, missing: [] })
    const after = await World.on(to.folder, { databaseUrl: to.databaseUrl }, world.owner.key)
    try {
      expect(await after.ok('get_card', { card_id })).toEqual(before)
      const download = { board_id: scene.boardId, card_id, attachment_id: attachment.id }
      expect((await after.call('download_attachment', download)).body).toBe('the bytes')
      const found = await after.ok('search_records', { q: before.title })
      expect(found.map(({ id }: { id: string }) => id)).toContain(card_id)
      // Generated numbers continue after the copied ones.
      const created = await after.ok('create_card', {
        board_id: scene.boardId,
        title: 'Next',
        spec_id: before.spec_id,
      })
      expect(numberOf(created.ref)).toBe(numberOf(before.ref) + 1)
    } finally {
      await after.running.stop()
      rmSync(world.folder, { recursive: true, force: true })
    }
  })

  test('a place that holds something, or is in use, is refused and stays as it is', async () => {
    const folder = await filledFolder()
    const other = { folder: newFolder(), databaseUrl: await server.database() }
    await moveService({ from: { folder }, to: other, at })
    const again = moveService({ from: { folder }, to: { ...other, folder: newFolder() }, at })
    await expect(again).rejects.toMatchObject({ code: 'DATABASE_FILLED' })
    await expect(moveService({ from: other, to: { folder }, at })).rejects.toMatchObject({ code: 'DATABASE_FILLED' })
    const foreign = await server.database()
    await onServer(foreign, 'create table invoices (id integer)')
    await expect(
      moveService({ from: { folder }, to: { folder: newFolder(), databaseUrl: foreign }, at }),
    ).rejects.toThrow(/tables of another program \(invoices\)/)
    // The fixture comes without the key of its secrets.
    await onServer(other.databaseUrl, 'delete from secrets')
    const world = await World.on(other.folder, { databaseUrl: other.databaseUrl })
    await expect(moveService({ from: other, to: { folder: newFolder() }, at })).rejects.toMatchObject({
      code: 'DATABASE_IN_USE',
    })
    await world.running.stop()
  })

  test('what a killed move left is not taken for a service', async () => {
    const from = { folder: newFolder(), databaseUrl: await server.database() }
    await (await openDatabase({ folder: from.folder, url: from.databaseUrl })).close()
    await expect(moveService({ from, to: { folder: newFolder() }, at })).rejects.toMatchObject({
      code: 'NO_DATABASE',
      message: expect.stringMatching(/contains no service/),
    })
  })

  describe('the key of the secrets', () => {
    const keyOf = (folder: string) => readFileSync(join(folder, secretKeyName))

    /** A service on PostgreSQL whose key is in a file that somebody made. */
    async function withKeyFile() {
      const secretKeyFile = join(root, `key-${++count}`)
      writeFileSync(secretKeyFile, `${Buffer.alloc(32, 7).toString('base64')}\n`)
      const place = { folder: newFolder(), databaseUrl: await server.database() }
      await moveService({ from: { folder: await filledFolder() }, to: place, at })
      rmSync(join(place.folder, secretKeyName))
      await onServer(place.databaseUrl, 'delete from secrets')
      const world = await World.on(place.folder, { databaseUrl: place.databaseUrl, secretKeyFile })
      await world.running.stop()
      return { place, secretKeyFile }
    }

    test('comes into the new folder from the file that somebody made', async () => {
      const { place, secretKeyFile } = await withKeyFile()
      const to = { folder: newFolder() }
      expect(await moveService({ from: place, to, secretKeyFile, at })).toMatchObject({ key: 'given' })
      expect(keyOf(to.folder)).toEqual(Buffer.alloc(32, 7))
      expect(statSync(join(to.folder, secretKeyName)).mode & 0o777).toBe(0o600)
      // Nodes on PostgreSQL are configured with the file instead.
      const other = { folder: newFolder(), databaseUrl: await server.database() }
      await moveService({ from: place, to: other, secretKeyFile, at })
      expect(existsSync(join(other.folder, secretKeyName))).toBe(false)
      const world = await World.on(other.folder, { databaseUrl: other.databaseUrl, secretKeyFile })
      await world.running.stop()
    })

    test('is the one of the webhooks where nothing else tells', async () => {
      const folder = await filledFolder()
      const key = SecretKey.of(folder)
      const database = await openDatabase({ folder })
      await database.write(async db => {
        await db.deleteFrom('secrets').execute()
        for (const { id } of await db.selectFrom('webhooks').select('id').execute()) {
          const secret = key.wrap(`webhook ${id}`, Buffer.alloc(32, 1))
          await db.updateTable('webhooks').set({ secret }).where('id', '=', id).execute()
        }
      })
      await database.close()
      const secretKeyFile = join(root, `key-${++count}`)
      writeFileSync(secretKeyFile, Buffer.alloc(32, 7))
      const to = { folder: newFolder(), databaseUrl: await server.database() }
      expect(await moveService({ from: { folder }, to, secretKeyFile, at })).toMatchObject({ key: 'folder' })
      expect(keyOf(to.folder)).toEqual(keyOf(folder))
    })

    test('must be there', async () => {
      const { place } = await withKeyFile()
      const to = { folder: newFolder() }
      await expect(moveService({ from: place, to, at })).rejects.toMatchObject({
        code: 'FOREIGN_KEY',
        message: expect.stringMatching(/set SPECBOARD_SECRET_KEY_FILE as for serving it/),
      })
      expect(existsSync(to.folder)).toBe(false)
    })

    test('is told where another one is set', async () => {
      const folder = await filledFolder()
      const secretKeyFile = join(root, `key-${++count}`)
      writeFileSync(secretKeyFile, Buffer.alloc(32, 7))
      const to = newFolder()
      const args = ['migrate', '--from', `sqlite:${folder}`, '--to', await server.database(), '--data-dir', to]
      const { code, errors } = await runCommandIn({ variables: { SPECBOARD_SECRET_KEY_FILE: secretKeyFile } }, ...args)
      expect(code).toBe(0)
      expect(errors).toContain(`the secrets are opened by ${join(to, secretKeyName)}, not by SPECBOARD_SECRET_KEY_FILE`)
      expect(keyOf(to)).toEqual(keyOf(folder))
    })
  })

  test('what nodes had begun when they were killed is settled by the next start', async () => {
    const shared = { folder: newFolder(), databaseUrl: await server.database() }
    await moveService({ from: { folder: await filledFolder() }, to: shared, at })
    await onServer(
      shared.databaseUrl,
      `delete from secrets; delete from imports;
      insert into nodes (id, leased_until) values ('killed', '2100-01-01T00:00:00.000Z');
      insert into imports (id, board_id, written, started_at, staged, node_id)
        select state, (select min(id) from boards), 0, '${at}', state, 'killed'
        from unnest(array['gathering', 'closing', 'placing']) as state;
      insert into import_writes (import_id, at, writes) select id, 0, '[]' from imports;
      insert into import_touched (import_id, at, ids) select id, 0, '[]' from imports;
      insert into import_gates (import_id, node_id) select id, 'killed' from imports`,
    )
    const places = [{ folder: newFolder() }, { folder: newFolder(), databaseUrl: await server.database() }]
    for (const to of places) {
      await moveService({ from: shared, to, at })
      const world = await World.on(to.folder, { databaseUrl: to.databaseUrl })
      const leftovers = await readWithoutLock(to, async db => [
        ...(await db.selectFrom('imports').select('id').execute()),
        ...(await db.selectFrom('import_writes').select('import_id').execute()),
        ...(await db.selectFrom('import_touched').select('import_id').execute()),
        ...(await db.selectFrom('import_gates').select('import_id').execute()),
      ])
      expect(leftovers).toEqual([])
      await world.running.stop()
    }
  })

  test('a node that starts while its database is copied is refused', async () => {
    const shared = { folder: newFolder(), databaseUrl: await server.database() }
    await moveService({ from: { folder: await filledFolder() }, to: shared, at })
    await onServer(shared.databaseUrl, 'delete from secrets')
    // The copy waits here.
    const release = await lockTable(shared.databaseUrl, 'audit')
    const moving = moveService({ from: shared, to: { folder: newFolder() }, at })
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await onServer(shared.databaseUrl, waiting)).length, patience).toBe(1)
    const started = World.on(newFolder(), { databaseUrl: shared.databaseUrl })
    await expect(started).rejects.toMatchObject({
      code: 'DATABASE_IN_USE',
      message: expect.stringMatching(/being moved/),
    })
    await release()
    await moving
    const world = await World.on(newFolder(), { databaseUrl: shared.databaseUrl })
    await world.running.stop()
  })

  describe('killed meanwhile', () => {
    test('on the way to PostgreSQL, nothing is there, and it succeeds the next time', async () => {
      const folder = await largeFolder()
      const url = await server.database()
      const args = ['migrate', '--from', `sqlite:${folder}`, '--to', url, '--data-dir', newFolder(), '--json']
      const killed = startCommand({}, ...args)
      const isInserting = async () => {
        const busy = `select 1 from pg_stat_activity where datname = current_database() and query like 'insert into audit%'`
        return (await onServer(url, busy)).length > 0
      }
      await expect.poll(isInserting, patience).toBe(true)
      killed.child.kill('SIGKILL')
      await killed.ended
      expect(await onServer(url, 'select count(*)::integer as boards from boards')).toEqual([{ boards: 0 }])
      const { code, output, errors } = await runCommandIn({}, ...args)
      expect([code, errors]).toEqual([0, ''])
      expect(JSON.parse(output).rows).toBeGreaterThan(10_000)
    })

    test('on the way back, no folder is there, and it succeeds the next time', async () => {
      const from = { folder: await largeFolder() }
      const shared = { folder: newFolder(), databaseUrl: await server.database() }
      const there = await moveService({ from, to: shared, at })
      const back = newFolder()
      const args = [
        'migrate',
        '--from',
        shared.databaseUrl,
        '--data-dir',
        shared.folder,
        '--to',
        `sqlite:${back}`,
        '--json',
      ]
      const killed = startCommand({}, ...args)
      const parts = () => readdirSync(root).filter(name => name.startsWith(`${basename(back)}.part-`))
      const isBegun = () => parts().some(name => existsSync(databaseFile(join(root, name))))
      await expect.poll(isBegun, patience).toBe(true)
      killed.child.kill('SIGKILL')
      await killed.ended
      expect(existsSync(back)).toBe(false)
      const { code, output, errors } = await runCommandIn({}, ...args)
      expect([code, errors]).toEqual([0, ''])
      expect(JSON.parse(output).tables.toSorted(byName)).toEqual(there.tables.toSorted(byName))
      expect(parts()).toEqual([])
    })
  })
})

/** The number of a reference such as SCE-12. */
const numberOf = (ref: string): number => Number(/\d+$/.exec(ref)![0])

const byName = (one: { table: string }, other: { table: string }) => (one.table < other.table ? -1 : 1)
