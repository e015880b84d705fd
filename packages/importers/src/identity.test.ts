import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Claim, identities, type KnownRecords } from './identity.ts'

/** What a board knows after an import: the titles of its records, by external id. */
class Board implements KnownRecords {
  readonly #titles = new Map<string, string>()

  has(id: string): boolean {
    return this.#titles.has(id)
  }

  isTitled(id: string, title: string): boolean {
    return this.#titles.get(id) === title
  }

  /** Imports records; returns the titles that a record had and no longer has. */
  takes(claims: readonly Claim[]): string[] {
    const ids = identities(claims, this)
    expect(new Set(ids).size).toBe(claims.length)
    const bent = claims.flatMap(({ title }, at) => {
      const before = this.#titles.get(ids[at]!)
      return before === undefined || before === title ? [] : [before]
    })
    for (const [at, { title }] of claims.entries()) this.#titles.set(ids[at]!, title)
    return bent
  }
}

/** Records with few different ids, each with a unique title. */
const files = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(8)), { maxLength: 9, selector: ([, number]) => number })
  .map(pairs => pairs.map(([id, number]): Claim => ({ id, title: `Title ${number}`, folder: `folder ${number % 2}` })))

test('whatever order, more or fewer of the same records: an id is never given to another title while both are there', () => {
  fc.assert(
    fc.property(
      files,
      fc.array(fc.tuple(fc.infiniteStream(fc.nat()), fc.infiniteStream(fc.boolean())), { maxLength: 4 }),
      (all, runs) => {
        const board = new Board()
        board.takes(all)
        for (const [order, isThere] of runs) {
          const keys = new Map(all.map(claim => [claim, order.next().value]))
          const subset = all.filter(() => isThere.next().value)
          expect(board.takes(subset.toSorted((a, b) => keys.get(a)! - keys.get(b)!))).toEqual([])
        }
      },
    ),
  )
})

test('a unique id is the own one; those that repeat have their titles in them, in any order', () => {
  const claims = [
    { id: '1', title: 'A' },
    { id: '2', title: 'B' },
    { id: '2', title: 'C' },
  ]
  const ids = identities(claims)
  expect(ids[0]).toBe('1')
  expect(ids[1]).toMatch(/^2~[0-9a-f]{8}$/)
  expect(identities(claims.toReversed())).toEqual(ids.toReversed())
})

test('what is equal in id and title is told apart by its folder, else by a number', () => {
  const same = { id: '1', title: 'A' }
  const ids = identities([
    { ...same, folder: 'x' },
    { ...same, folder: 'y' },
    { ...same, folder: 'y' },
  ])
  expect(new Set(ids).size).toBe(3)
  expect(ids[2]).toBe(`${ids[1]}-2`)
})
