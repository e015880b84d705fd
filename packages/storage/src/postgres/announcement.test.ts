import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { opened, sealed } from './announcement.ts'

const key = randomBytes(32)

test('a sealed announcement opens with its key alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ unit: 'grapheme' })), (node, names) => {
      const payload = sealed(key, { node, names })
      expect(opened(key, payload)).toEqual({ node, names })
      expect(opened(randomBytes(32), payload)).toBeUndefined()
    }),
  )
})

test('a part that is changed, added or left out makes it nobody’s', () => {
  const parts = JSON.parse(sealed(key, { node: 'n', names: ['a', 'b'] })) as string[]
  for (const other of [
    parts.slice(0, -1),
    [...parts, 'c'],
    parts.with(2, 'x'),
    parts.with(1, 'x'),
    parts.slice(0, 1),
    [],
  ])
    expect(opened(key, JSON.stringify(other))).toBeUndefined()
})

test('whatever else comes is ignored', () => {
  for (const payload of ['', 'x', '"x"', 'null', '{}', '[null]', '[1]', '[["a"]]', '["ä","n"]', '[', '\u0000'])
    expect(opened(key, payload)).toBeUndefined()
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), payload => opened(key, payload) === undefined))
})
