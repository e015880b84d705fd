import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idsIn, migrations, type NotesSchema, put } from '../notes.testing.ts'
import { PostgresDatabase } from './database.ts'
import { rowOf } from './row-locks.ts'
import { onServer, type TestServer, testServer, whyNoServer } from './test-server.testing.ts'
import { writePostgres } from './unlocked.ts'

test('a name has the same row everywhere, and many names spread over the rows', () => {
  expect(['', 'search', '5b1f9d1e-1d0c-4a0e-9d4f-0d8c5f0a2b11'].map(rowOf)).toEqual([
    rowOf(''),
    rowOf('search'),
    rowOf('5b1f9d1e-1d0c-4a0e-9d4f-0d8c5f0a2b11'),
  ])
  const found = Array.from({ length: 10_000 }, (_, index) => rowOf(`board ${index}`))
  expect(Math.min(...found)).toBeGreaterThanOrEqual(1)
  expect(Math.max(...found)).toBeLessThanOrEqual(1_024)
  expect(new Set(found).size).toBeGreaterThan(1_000)
})

const missing = whyNoServer()

describe.skipIf(missing !== undefined)(`locks by rows${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let url: string

  beforeAll(async () => {
    server = await testServer()
    url = await server.database()
  })

  afterAll(() => server?.stop())

  const open = (locks: 'advisory' | 'rows') => PostgresDatabase.open<NotesSchema>({ url, migrations, locks })

  test('a node that locks otherwise than those that serve does not start, and does once they have ended', async () => {
    for (const [first, second] of [
      ['advisory', 'rows'],
      ['rows', 'advisory'],
    ] as const) {
      const node = await open(first)
      await expect(open(second)).rejects.toThrow(`SPECBOARD_DATABASE_LOCKS=${first}`)
      const beside = await open(first)
      await beside.close()
      await node.close()
      await (await open(second)).close()
    }
  })

  test('nodes that start together agree, or one of them does not start', async () => {
    for (let round = 0; round < 4; round++) {
      const own = await server.database()
      const start = (locks: 'advisory' | 'rows') => PostgresDatabase.open<NotesSchema>({ url: own, migrations, locks })
      const alike = await Promise.all([start('rows'), start('rows'), start('rows')])
      await Promise.all(alike.map(node => node.close()))
      const mixed = await Promise.allSettled([start('advisory'), start('rows')])
      const open = mixed.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
      expect(open.length).toBeLessThanOrEqual(1)
      for (const node of open) await node.close()
      await server.drop(own)
    }
  })

  test('a verb that writes beside the nodes waits for their units, and they for it', async () => {
    const node = await open('rows')
    try {
      const order: string[] = []
      let leave = () => {}
      const inside = new Promise<void>(resolve => {
        leave = resolve
      })
      let entered = () => {}
      const unitEntered = new Promise<void>(resolve => {
        entered = resolve
      })
      const unit = node.write(
        async db => {
          await put(db, 'unit')
          entered()
          await inside
          order.push('unit')
        },
        { lock: 'board' },
      )
      await unitEntered
      const verb = writePostgres<NotesSchema, void>({ url, migrations }, async db => {
        order.push('verb')
        expect(await idsIn(db)).toContain('unit')
        await put(db, 'verb')
      })
      await expect
        .poll(() =>
          onServer(
            url,
            "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          ),
        )
        .not.toEqual([])
      leave()
      await Promise.all([unit, verb])
      expect(order).toEqual(['unit', 'verb'])
    } finally {
      await node.close()
    }
  })
})
