import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tables } from '../../schema/tables/all.ts'
import { architecturePayload, architectureVersion } from './designs.ts'
import { toRecord, toStored, type WrittenColumn } from './forms.ts'
import { event, kindOf, recordTypes } from './kinds.ts'
import { mayContainIds, withTexts } from './members.ts'

const page = readFileSync(new URL('../../../../../docs/archive-format.md', import.meta.url), 'utf8')

describe('the kinds of record', () => {
  test('are all declared, in the order of an archive', () => {
    expect([...kindOf.keys()]).toEqual(recordTypes)
  })

  test('are those that the literals of tables name', () => {
    const named = tables.flatMap(({ archived }) => archived ?? [])
    expect(named.toSorted()).toEqual(recordTypes.toSorted())
  })

  test.each([...[...kindOf.values()].map(({ type, columns }) => [type, columns] as const), ['event', event] as const])(
    'the page on the format names every field of %s',
    (type, columns) => {
      const line = page.split('\n').find(text => text.startsWith(`| ${type} `))
      for (const name of Object.keys(columns)) if (name !== 'id') expect(line).toContain(`\`${name}\``)
    },
  )

  /** A value that a column may store. */
  const stored = fc.oneof(
    fc.constant(null),
    fc.constantFrom(0, 1),
    fc.jsonValue().map(value => JSON.stringify(value)),
  )

  const all = [
    ...kindOf.values(),
    { type: 'event', columns: event },
    { type: 'version', columns: architectureVersion },
    { type: 'payload', columns: architecturePayload },
  ]

  test.each(all.map(({ type, columns }) => [type, columns] as const))(
    'what is stored of %s comes back as it was',
    (_, columns) => {
      for (const column of Object.values(columns))
        fc.assert(
          fc.property(stored, value => {
            const record = readable(column, value)
            if (record === undefined || !column.schema.safeParse(record.value).success) return
            const again = toRecord(column, toStored(column, JSON.parse(JSON.stringify(record.value))))
            expect(JSON.stringify(again)).toBe(JSON.stringify(record.value))
          }),
          { numRuns: 30 },
        )
    },
  )
})

/** The value of a column; undefined if the stored value cannot be one. */
function readable(column: WrittenColumn, stored: unknown): { value: unknown } | undefined {
  try {
    return { value: toRecord(column, stored) }
  } catch {
    return undefined
  }
}

describe('withTexts', () => {
  test('changes texts under the names that it is asked for, at any depth', () => {
    const value = { id: 'a', card_ids: ['a', 'b'], inside: [{ spec_id: 'a', title: 'a' }] }
    expect(withTexts(value, (name, text) => (mayContainIds(name) && text === 'a' ? 'z' : text))).toEqual({
      id: 'a',
      card_ids: ['z', 'b'],
      inside: [{ spec_id: 'z', title: 'a' }],
    })
  })

  test('leaves what does not change as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(withTexts(value, (_, text) => text)).toBe(value)
      }),
    )
  })
})
