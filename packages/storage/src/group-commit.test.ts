import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Database } from './database.ts'
import type { Db } from './db.ts'
import { groupOf } from './executor.ts'
import type { Counter } from './group.ts'
import { idsIn, migrations, type NotesSchema, put } from './notes.testing.ts'

let folder: string
let database: Database<NotesSchema>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-groups-'))
  database = await Database.open({ folder, migrations })
})

// The clock is frozen, so that concurrent writes are one group on any machine.
beforeEach(() => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  return () => clock.mockRestore()
})

afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const refused = () => Promise.reject(new Error('refused'))
const stored = async () => new Set(await database.read(idsIn))

describe('group commit', () => {
  test('a failed unit rolls back alone, and its neighbours commit', async () => {
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
        const ids = await stored()
        for (const [index, { writes, failsAfter }] of units.entries()) {
          const fails = failsAfter !== undefined
          expect(outcomes[index]!.status).toBe(fails ? 'rejected' : 'fulfilled')
          for (let write = 0; write < writes; write++) expect(ids.has(nameOf(index, write))).toBe(!fails)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('a failed statement rolls back its unit only', async () => {
    const outcomes = await Promise.allSettled([
      database.write(db => put(db, 'first')),
      database.write(async db => {
        await put(db, 'lost')
        await put(db, 'first')
      }),
      database.write(db => put(db, 'third')),
    ])
    expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const ids = await stored()
    expect([ids.has('first'), ids.has('lost'), ids.has('third')]).toEqual([true, false, true])
  })

  test('a unit runs once, or twice when a later one fails after it has written', async () => {
    const runs = [0, 0, 0, 0]
    const counted = (index: number, after: (db: Db<NotesSchema>) => Promise<unknown>) =>
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
    const ids = await stored()
    expect([0, 1, 2, 3].map(index => ids.has(`counted ${index}`))).toEqual([true, true, false, false])
  })

  test('a unit that awaits anything but its database is rolled back alone', async () => {
    const late = database.write(async db => {
      await put(db, 'late')
      await new Promise(resolve => setImmediate(resolve))
      await put(db, 'later')
    })
    const honest = database.write(db => put(db, 'honest'))
    await expect(late).rejects.toMatchObject({ code: 'UNIT_AWAITED' })
    await honest
    const ids = await stored()
    expect([ids.has('late'), ids.has('honest')]).toEqual([false, true])
  })

  describe('a unit that takes turns of the event loop', () => {
    const runCooperatively = (name: string, end: () => Promise<unknown> = async () => {}) =>
      database.write(async db => {
        for (let piece = 0; piece < 3; piece++) {
          await put(db, `${name} ${piece}`)
          await groupOf(db).turn()
        }
        await end()
      })
    const pieces = async (name: string) => [...(await stored())].filter(id => id.startsWith(name)).length

    test('is seen whole or not at all, and others read meanwhile', async () => {
      const counts = new Set<number>()
      let ended = false
      const unit = runCooperatively('whole').finally(() => {
        ended = true
      })
      while (!ended) {
        counts.add(await pieces('whole'))
        await new Promise(resolve => setImmediate(resolve))
      }
      await unit
      expect([...counts, await pieces('whole')]).toEqual([0, 3])
    })

    test('keeps later writes waiting', async () => {
      const unit = runCooperatively('waited for')
      const other = database.write(async db => (await idsIn(db)).filter(id => id.startsWith('waited for')).length)
      await unit
      expect(await other).toBe(3)
    })

    test('is rolled back alone when it fails', async () => {
      const outcomes = await Promise.allSettled([
        database.write(db => put(db, 'before it')),
        runCooperatively('refused', refused),
        database.write(db => put(db, 'behind it')),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      const ids = await stored()
      expect(['before it', 'refused 0', 'refused 2', 'behind it'].map(id => ids.has(id))).toEqual([
        true,
        false,
        false,
        true,
      ])
    })

    test('may await nothing else all the same', async () => {
      const late = runCooperatively('late', () => new Promise(resolve => setImmediate(resolve)))
      await expect(late).rejects.toMatchObject({ code: 'UNIT_AWAITED' })
      expect(await pieces('late')).toBe(0)
    })
  })

  test('a handle is closed when its unit ends', async () => {
    let handle: Db<NotesSchema> | undefined
    await database.write(async db => {
      handle = db
    })
    await expect(put(handle!, 'too late')).rejects.toMatchObject({ code: 'UNIT_CLOSED' })
  })

  test('a reader never sees uncommitted writes', async () => {
    const rows = await database.write(async db => {
      await put(db, 'uncommitted')
      return database.read(reader => reader.selectFrom('notes').select('id').where('id', '=', 'uncommitted').execute())
    })
    expect(rows).toEqual([])
    expect((await stored()).has('uncommitted')).toBe(true)
  })

  test('the reader refuses writes', async () => {
    await expect(database.read(db => put(db, 'read only'))).rejects.toThrow(/readonly/)
  })
})

describe('a group writes once', () => {
  const notes = ['left', 'right'] as const
  const sequence: Counter = { table: 'notes', column: 'seq', id: 'id' }

  beforeAll(() =>
    database.write(async db => {
      for (const id of notes) await put(db, id)
    }),
  )

  const storedSequences = async () => {
    const rows = await database.read(db => db.selectFrom('notes').select(['id', 'seq']).execute())
    return Object.fromEntries(rows.map(({ id, seq }) => [id, seq]))
  }

  test('a sequence, without gaps or duplicates whichever units fail, and its row has the last number', async () => {
    const unit = fc.record({
      takes: fc.array(fc.constantFrom(...notes), { maxLength: 4 }),
      fails: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 30 }), async units => {
        const before = await storedSequences()
        const outcomes = await Promise.allSettled(
          units.map(({ takes, fails }) =>
            database.write(async db => {
              const pairs = takes.map(note => [note, groupOf(db).next(sequence, note) as number] as const)
              if (fails) throw new Error('refused')
              return pairs
            }),
          ),
        )
        const committed = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? outcome.value : []))
        const after = await storedSequences()
        for (const note of notes) {
          const numbers = committed.filter(([name]) => name === note).map(([, number]) => number)
          expect(numbers).toEqual(numbers.map((_, index) => before[note]! + index + 1))
          expect(after[note]).toBe(before[note]! + numbers.length)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('the first write postponed under a key, unless its unit failed', async () => {
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
    const ids = await stored()
    expect(['1', '2', '3', '4', '5', '6'].filter(name => ids.has(`postponed ${name}`))).toEqual(['1', '3', '5'])
  })

  test('a handle outside a group throws NO_GROUP', async () => {
    await expect(database.read(async db => groupOf(db))).rejects.toMatchObject({ code: 'NO_GROUP' })
  })
})
