import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../schema/database.ts'
import { Leases } from './leases.ts'

const missing = whyNoServer()
const onFault = (error: unknown): never => {
  throw error
}

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-leases-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a process with a database of its own holds everything, and writes nothing', async () => {
  const database = await openDatabase({ folder })
  const leases = new Leases({ database, node: 'a', onFault })
  await leases.start()
  expect(await leases.take('anything')).toBe(true)
  expect(await leases.inTurn('anything', async () => 'done')).toBe('done')
  const rows = await database.read(db => db.selectFrom('nodes').selectAll().execute())
  expect([rows, leases.isAlone, leases.isShared]).toEqual([[], true, false])
  await leases.stop()
  await database.close()
})

describe.skipIf(missing !== undefined)(`on two nodes${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let databases: readonly [Database, Database]

  beforeAll(async () => {
    server = await testServer()
    const url = await server.database()
    databases = [await openDatabase({ folder, url }), await openDatabase({ folder, url })]
  })

  afterAll(async () => {
    for (const database of databases ?? []) await database.close()
    await server?.stop()
  })

  const started = async (index: 0 | 1, node: string, leaseMs?: number) => {
    const leases = new Leases({ database: databases[index], node, leaseMs, onFault })
    await leases.start()
    return leases
  }

  test('one of them has a thing, until it gives it back or stops', async () => {
    const one = await started(0, 'one')
    const two = await started(1, 'two')
    expect((await Promise.all([one.take('x'), two.take('x')])).toSorted()).toEqual([false, true])
    const [has, lacks] = one.holds('x') ? [one, two] : [two, one]
    await has.release('x')
    await lacks.look()
    expect(await lacks.take('x')).toBe(true)
    await has.look()
    let freed = 0
    has.onFree(() => freed++)
    await lacks.stop()
    await has.look()
    expect(freed).toBe(1)
    expect(await has.take('x')).toBe(true)
    await has.stop()
  })

  test('what is done in turn is done one after the other, whoever does it', async () => {
    const nodes = [await started(0, 'one'), await started(1, 'two')] as const
    let running = 0
    let max = 0
    const act = async () => {
      max = Math.max(max, ++running)
      await databases[0].read(db => db.selectFrom('nodes').selectAll().execute())
      running--
    }
    await Promise.all(Array.from({ length: 6 }, (_, index) => nodes[index % 2]!.inTurn('turn', act)))
    expect(max).toBe(1)
    for (const node of nodes) await node.stop()
  })

  test('what a node held that renews nothing any more is free when its lease has ended', async () => {
    const dead = new Leases({ database: databases[0], node: 'dead', leaseMs: 600, onFault })
    await dead.start()
    expect(await dead.take('y')).toBe(true)
    // As if its process had been killed: it stops renewing, and gives nothing back.
    await databases[0].write(db =>
      db.updateTable('nodes').set({ leased_until: '2000' }).where('id', '=', 'dead').execute(),
    )
    const other = await started(1, 'other', 600)
    await expect.poll(() => other.take('y')).toBe(true)
    await other.stop()
    await dead.stop()
  })
})
