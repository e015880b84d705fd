import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GraphWorld } from '../../../../test/graph-world.ts'
import { Leases } from '../../../kernel/leases.ts'
import { brokenSequences } from '../../../schema/check-sequences.ts'
import type { Database } from '../../../schema/database.ts'
import { EventArchiving } from './event-archiving.ts'
import { countArchivable } from './store.ts'

let world: GraphWorld

beforeEach(async () => {
  world = await GraphWorld.start()
})

afterEach(() => world.stop())

const dayMs = 86_400_000

const archives = () => join(world.folder, 'event-archives')

const databaseHere = () => world.opened.service.database as Database

async function archive({ database = databaseHere(), kept = 0 } = {}): Promise<void> {
  const leases = new Leases({ database: databaseHere(), node: 'tests', onFault: error => world.faults.push(error) })
  await leases.start()
  const archiving = new EventArchiving({
    database,
    leases,
    days: 90,
    folder: archives(),
    clock: () => world.now,
    onFault: error => world.faults.push(error),
    newestKept: kept,
  })
  try {
    await archiving.run()
  } finally {
    await archiving.stop()
    await leases.stop()
  }
}

interface Line {
  readonly id: string
  readonly sequence: number
  readonly entity_type: string
  readonly created_at: string
  readonly details?: unknown
}

/** The entries in the files, by file. */
async function archived(): Promise<Map<string, Line[]>> {
  const files = new Map<string, Line[]>()
  for (const board of await readdir(archives()).catch(() => []))
    for (const name of (await readdir(join(archives(), board))).sort()) {
      const text = gunzipSync(await readFile(join(archives(), board, name))).toString()
      files.set(
        name,
        text
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line)),
      )
    }
  return files
}

const events = async () =>
  (await world.ok('list_board_events', { board_id: world.boardId, limit: 500 })).events as Line[]

const rename = (name: string) => world.ok('update_board', { board_id: world.boardId, name })

/** A board with entries of two months about itself, a card, a spec, and a spec that was deleted. */
async function oldBoard(): Promise<{ readonly card: string; readonly spec: string }> {
  const board_id = world.boardId
  const card = (await world.ok('create_card', { board_id, title: 'Card' })).id
  const spec = await world.spec({ title: 'Kept' })
  await world.ok('delete_spec', { spec_id: await world.spec({ title: 'Gone' }) })
  await rename('January')
  world.now += 31 * dayMs
  await rename('February')
  await world.ok('delete_card', { card_id: (await world.ok('create_card', { board_id, title: 'Gone' })).id })
  return { card, spec }
}

test('what no record needs moves to files by month; histories and activities answer as before (work 5.1)', async () => {
  const { card, spec } = await oldBoard()
  const before = await events()
  const answers = async () => [
    await world.ok('list_card_activity', { card_id: card }),
    await world.ok('list_spec_history', { spec_id: spec }),
    await world.ok('list_ready_cards', { board_id: world.boardId }),
  ]
  const asBefore = await answers()
  world.now += 91 * dayMs
  const { entries } = await world.opened.service.database.read(db =>
    countArchivable(db, new Date(world.now).toISOString()),
  )
  expect(entries).toBe(0)
  await archive()
  const files = await archived()
  expect([...files.keys()].map(name => name.slice(0, 7))).toEqual(['2030-01', '2030-02'])
  const moved = [...files.values()].flat()
  expect(new Set(moved.map(({ entity_type }) => entity_type))).toEqual(new Set(['board', 'spec']))
  const remaining = await events()
  const ids = (lines: readonly { readonly id: string }[]) => lines.map(({ id }) => id)
  expect(ids([...moved, ...remaining]).toSorted()).toEqual(ids(before).toSorted())
  expect(await answers()).toEqual(asBefore)
  expect(await world.opened.service.database.read(brokenSequences)).toEqual([])
  await archive()
  expect(await archived()).toEqual(files)
  expect(world.faults).toEqual([])
})

test('what is young, new or not yet queued for a webhook stays (work 5.1)', async () => {
  await oldBoard()
  world.now += 80 * dayMs
  await rename('April')
  world.now += 11 * dayMs
  await archive({ kept: 100 })
  expect(await archived()).toEqual(new Map())
  await world.opened.service.database.write(async db => {
    await sql`insert into webhooks (id, board_id, url, events, active, format, secret, cursor, created_by, created_at, updated_at)
      values ('w', ${world.boardId}, 'https://x', '["*"]', 0, 'standard', '', 1, 'a', '', '')`.execute(db)
  })
  await archive()
  expect([...(await archived()).values()].flat().map(({ sequence }) => sequence)).toEqual([1])
  await world.opened.service.database.write(db => sql`update webhooks set cursor = 1000`.execute(db))
  await archive()
  const moved = [...(await archived()).values()].flat()
  expect(moved.length).toBeGreaterThan(3)
  expect(moved.filter(({ created_at }) => created_at >= '2030-02-02')).toEqual([])
})

test('a list that begins before archived entries says so (work 5.1)', async () => {
  const board_id = world.boardId
  await oldBoard()
  expect(await world.ok('list_board_events', { board_id })).not.toHaveProperty('archived_up_to')
  world.now += 150 * dayMs
  const last = (await events()).filter(({ entity_type }) => entity_type === 'board').at(-1)!.sequence
  await archive()
  expect(await world.ok('list_board_events', { board_id })).toMatchObject({ archived_up_to: last })
  expect(await world.ok('list_board_events', { board_id, after: last })).not.toHaveProperty('archived_up_to')
})

test('what fails in the middle loses nothing, and the next run ends it (work 5.1)', async () => {
  await oldBoard()
  const before = (await events()).map(({ id }) => id).toSorted()
  world.now += 150 * dayMs
  const database = databaseHere()
  const failing = new Proxy(database, {
    get: (target, name) => {
      if (name === 'write') return () => Promise.reject(new Error('gone'))
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as Database
  await expect(archive({ database: failing })).rejects.toThrow('gone')
  // The entries are durable in a file, and still in the log.
  expect((await archived()).size).toBe(1)
  expect((await events()).map(({ id }) => id).toSorted()).toEqual(before)
  await archive()
  const all = [...(await archived()).values()].flat().map(({ id }) => id)
  expect([...new Set([...all, ...(await events()).map(({ id }) => id)])].toSorted()).toEqual(before)
  expect(all.length).toBe(new Set(all).size)
})

test('without a folder that can be written to, every entry stays, and the fault says what to do (work 5.1)', async () => {
  await oldBoard()
  const before = await events()
  world.now += 91 * dayMs
  await writeFile(archives(), 'a file')
  await expect(archive()).rejects.toThrow(/^Old entries .+ cannot be written to \(E.+\)\. Let the service write/)
  expect(await events()).toEqual(before)
})
