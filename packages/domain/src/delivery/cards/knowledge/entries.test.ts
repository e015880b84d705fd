import { expect, test } from 'vitest'
import { checkRoom, mergedEntries, mergedEntry } from './entries.ts'

let ids = 0
const author = { id: 'me', now: '2026-02-02T00:00:00.000Z', newId: () => `id${++ids}` }
const stored = {
  id: 'k1',
  title: 'Notes',
  description: null,
  content: ' Text\n',
  mime_type: 'text/markdown',
  source: 'manual',
  author_id: 'other',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ref: 'SPE-1.k1',
}
const refused = expect.objectContaining({ code: 'VALIDATION_ERROR' })

test('a new entry has defaults; title and description are trimmed, content is not', () => {
  expect(mergedEntry({ title: ' Notes ', content: ' Text\n', description: ' ' }, undefined, author)).toEqual({
    ...stored,
    id: expect.stringMatching(/^id\d+$/),
    author_id: 'me',
    created_at: author.now,
    updated_at: author.now,
    ref: '',
  })
})

test('an update without changes leaves an entry as it is; a change keeps its author and sets its time', () => {
  expect(mergedEntry({}, stored, author)).toEqual(stored)
  expect(mergedEntry({ title: 'Notes ' }, stored, author)).toEqual(stored)
  expect(mergedEntry({ description: 'More' }, stored, author)).toEqual({
    ...stored,
    description: 'More',
    updated_at: author.now,
  })
  expect(mergedEntry({ description: null }, { ...stored, description: 'x' }, author).description).toBeNull()
})

test.each([{ title: ' ' }, { content: '\n' }])('%j is refused', entry => {
  expect(() => mergedEntry(entry, stored, author)).toThrow(refused)
})

test('a list replaces the whole list: known ids are kept, others are new, a repeated id is refused', () => {
  const [unchanged, named, added] = mergedEntries(
    [stored, { id: 'mine', title: 'A', content: 'B' }, { title: 'C', content: 'D' }],
    [stored],
    author,
  )
  expect(unchanged).toEqual(stored)
  expect(named).toMatchObject({ id: 'mine', author_id: 'me' })
  expect(added?.id).toMatch(/^id\d+$/)
  const before = { ...stored, description: 'D', mime_type: 'text/plain', source: 'spec' }
  const [bare] = mergedEntries([{ id: 'k1', content: 'New' }], [before], author)
  expect(bare).toEqual({ ...before, content: 'New', updated_at: author.now })
  expect(mergedEntries([{ id: 'spe-1.K1' }], [stored], author)).toEqual([stored])
  expect(() => mergedEntries([stored, stored], [stored], author)).toThrow(refused)
})

test('a card holds 500 entries and 8 MiB of them, unless it had more (walls 3, rule 2)', () => {
  const many = (count: number, content = 'Text') => Array.from({ length: count }, () => ({ ...stored, content }))
  const million = 'x'.repeat(1 << 20)
  expect(() => checkRoom(many(499), many(500))).not.toThrow()
  expect(() => checkRoom(many(500), many(501))).toThrow('at most 500 entries')
  expect(() => checkRoom(many(502), many(501))).not.toThrow()
  expect(() => checkRoom(many(7, million), many(8, million))).toThrow('at most 8388608 characters')
  expect(() => checkRoom(many(6, million), many(7, million))).not.toThrow()
  expect(() => checkRoom(many(9, million), many(8, million))).not.toThrow()
})
