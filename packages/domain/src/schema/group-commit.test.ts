import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groupOf } from '@specboard/storage'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boardSequence } from '../kernel/events.ts'
import { toJson } from '../lib/json.ts'
import { type Database, type Db, openDatabase } from './database.ts'
import { insertRow } from './rows.ts'

let folder: string
let database: Database

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-groups-'))
  database = await openDatabase({ folder })
})

afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const refused = () => Promise.reject(new Error('refused'))
const put = (db: Db, name: string) => insertRow(db, 'secrets', { name, value: '' })
const names = async () =>
  new Set((await database.read(db => db.selectFrom('secrets').select('name').execute())).map(row => row.name))

describe('group commit', () => {
  test('a failing unit rolls back alone, its neighbours commit', async () => {
    let run = 0
    const unit = fc.record({
      writes: fc.integer({ min: 0, max: 4 }),
      failsAfter: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 30 }), async units => {
        run++
        const nameOf = (index: number, write: number) => `${run}.${index}.${write}`
        const outcomes = await Promise.allSettled(
          units.map(({ writes, failsAfter }, index) =>
            database.write(async db => {
              for (let write = 0; write < writes; write++) {
                if (write === failsAfter) throw new Error('refused')
                await put(db, nameOf(index, write))
              }
              if (failsAfter !== undefined && failsAfter >= writes) throw new Error('refused')
              return index
            }),
          ),
        )
        const stored = await names()
        for (const [index, { writes, failsAfter }] of units.entries()) {
          const fails = failsAfter !== undefined
          expect(outcomes[index]!.status).toBe(fails ? 'rejected' : 'fulfilled')
          for (let write = 0; write < writes; write++) expect(stored.has(nameOf(index, write))).toBe(!fails)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('a statement that fails rolls its unit back and leaves the others', async () => {
    const outcomes = await Promise.allSettled([
      database.write(db => put(db, 'first')),
      database.write(async db => {
        await put(db, 'lost')
        await put(db, 'first')
      }),
      database.write(db => put(db, 'third')),
    ])
    expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const stored = await names()
    expect([stored.has('first'), stored.has('lost'), stored.has('third')]).toEqual([true, false, true])
  })

  test('a unit runs once, twice where a later one fails once it has written', async () => {
    const runs = [0, 0, 0, 0]
    const counted = (index: number, after: (db: Db) => Promise<unknown>) =>
      database.write(db => {
        runs[index]!++
        return after(db)
      })
    await Promise.allSettled([counted(0, db => put(db, 'counted 0')), counted(1, refused)])
    expect(runs).toEqual([1, 1, 0, 0])
    await Promise.allSettled([
      counted(0, db => put(db, 'counted 1')),
      counted(1, refused),
      counted(2, db => put(db, 'counted 2').then(refused)),
      counted(3, db => put(db, 'counted 3').then(refused)),
    ])
    expect(runs).toEqual([3, 2, 1, 1])
    const stored = await names()
    expect([0, 1, 2, 3].map(index => stored.has(`counted ${index}`))).toEqual([true, true, false, false])
  })

  test('a unit that awaits more than its database is rolled back alone', async () => {
    const late = database.write(async db => {
      await put(db, 'late')
      await new Promise(resolve => setImmediate(resolve))
      await put(db, 'later')
    })
    const honest = database.write(db => put(db, 'honest'))
    await expect(late).rejects.toMatchObject({ code: 'UNIT_AWAITED' })
    await honest
    const stored = await names()
    expect([stored.has('late'), stored.has('honest')]).toEqual([false, true])
  })

  test('a handle that is kept after its unit is closed', async () => {
    let kept: Db | undefined
    await database.write(async db => {
      kept = db
    })
    await expect(put(kept!, 'too late')).rejects.toMatchObject({ code: 'UNIT_CLOSED' })
  })

  test('a reader never sees what is not committed', async () => {
    const seen = await database.write(async db => {
      await put(db, 'uncommitted')
      return database.read(reader =>
        reader.selectFrom('secrets').select('name').where('name', '=', 'uncommitted').execute(),
      )
    })
    expect(seen).toEqual([])
    expect((await names()).has('uncommitted')).toBe(true)
  })

  test('the reader refuses to write', async () => {
    await expect(database.read(db => put(db, 'read only'))).rejects.toThrow(/readonly/)
  })
})

describe('what a group writes once', () => {
  const boards = ['left', 'right'] as const

  beforeAll(() =>
    database.write(async db => {
      for (const id of boards)
        await insertRow(db, 'boards', {
          id,
          name: id,
          description: '',
          owner_id: 'owner',
          settings: toJson({}),
          seq: 0,
          created_at: '',
          updated_at: '',
        })
    }),
  )

  const storedSequences = async () => {
    const rows = await database.read(db => db.selectFrom('boards').select(['id', 'seq']).execute())
    return Object.fromEntries(rows.map(({ id, seq }) => [id, seq]))
  }

  test('a sequence has no gap and no number twice, whichever units fail, and its row counts it', async () => {
    const unit = fc.record({
      takes: fc.array(fc.constantFrom(...boards), { maxLength: 4 }),
      fails: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 30 }), async units => {
        const before = await storedSequences()
        const outcomes = await Promise.allSettled(
          units.map(({ takes, fails }) =>
            database.write(async db => {
              const taken = takes.map(board => [board, groupOf(db).next(boardSequence, board)] as const)
              if (fails) throw new Error('refused')
              return taken
            }),
          ),
        )
        const kept = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? outcome.value : []))
        const after = await storedSequences()
        for (const board of boards) {
          const numbers = kept.filter(([name]) => name === board).map(([, number]) => number)
          expect(numbers).toEqual(numbers.map((_, index) => before[board]! + index + 1))
          expect(after[board]).toBe(before[board]! + numbers.length)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('of what is put off under one key the first is done, not that of a unit that failed', async () => {
    const done: string[] = []
    const postponing = (name: string, key: string, after: () => Promise<unknown> = async () => {}) =>
      database.write(async db => {
        groupOf(db).postpone(key, async at => {
          done.push(name)
          await put(at, `postponed ${name}`)
        })
        await after()
      })
    await Promise.allSettled([postponing('1', 'a'), postponing('2', 'a'), postponing('3', 'b')])
    expect(done).toEqual(['1', '3'])
    await Promise.allSettled([postponing('4', 'a', refused), postponing('5', 'a'), postponing('6', 'c', refused)])
    const stored = await names()
    expect(['1', '2', '3', '4', '5', '6'].filter(name => stored.has(`postponed ${name}`))).toEqual(['1', '3', '5'])
  })

  test('a handle that is of no group says so', async () => {
    await expect(database.read(async db => groupOf(db))).rejects.toMatchObject({ code: 'NO_GROUP' })
  })
})
