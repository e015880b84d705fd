import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UuidTable } from './uuid-table.ts'

const uuid = fc.uuid()
/** Only a few ids, so that many entries have the same one. */
const oneOfFew = fc.nat(40).map(number => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`)

test('it answers as a map of texts would', () => {
  const entries = fc.array(
    fc.record({ key: fc.oneof(uuid, oneOfFew), value: fc.option(fc.oneof(uuid, oneOfFew)), tag: fc.nat(31) }),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(entries, rows => {
      const table = new UuidTable()
      const values = new Map<string, string>()
      const tags = new Set<string>()
      for (const { key, value, tag } of rows) {
        const here = value ?? key
        const fits = (values.get(key) ?? here) === here
        expect(table.add(key, here, tag)).toBe(fits)
        if (!fits) continue
        values.set(key, here)
        tags.add(`${key} ${tag}`)
      }
      for (const { key, tag } of rows) {
        expect(table.get(key)).toBe(values.get(key))
        expect(table.has(key, tag)).toBe(tags.has(`${key} ${tag}`))
      }
      expect([...table.values()].sort()).toEqual([...values.values()].sort())
    }),
  )
})

test('it grows, whether UUIDs stand for themselves or for others', () => {
  const keys = fc.sample(uuid, 4_000)
  for (const value of [
    (key: string) => key,
    (key: string) =>
      key
        .split('')
        .reverse()
        .join('')
        .replace(/^(.{12})-(.{4})-(.{4})-(.{4})-(.{8})$/, '$5-$4-$3-$2-$1'),
  ]) {
    const table = new UuidTable()
    for (const key of keys) expect(table.add(key, value(key), 0)).toBe(true)
    expect(keys.map(key => table.get(key))).toEqual(keys.map(value))
  }
})

test.each([
  'b1',
  '',
  '0192F3A4-5678-7abc-8def-0123456789ab',
  '0192f3a4-5678-7abc-8def-0123456789a',
  '0192f3a4_5678-7abc-8def-0123456789ab',
  '0192f3a4-5678-7abc-8def-0123456789ag',
])('%s is no UUID for it', text => {
  const table = new UuidTable()
  const valid = '0192f3a4-5678-7abc-8def-0123456789ab'
  expect(table.add(text, text, 0)).toBe(false)
  expect(table.add(valid, text, 0)).toBe(false)
  expect(table.get(text)).toBeUndefined()
  expect(table.has(text, 0)).toBe(false)
})
