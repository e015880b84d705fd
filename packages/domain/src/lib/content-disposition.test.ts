import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileDisposition, titleDisposition } from './content-disposition.ts'

test.each([
  ['Notes', 'filename="Notes.md"'],
  ['v1.0-notes_a', 'filename="v1.0-notes_a.md"'],
  ['My notes', `filename="My_notes.md"; filename*=UTF-8''My%20notes.md`],
  ['..hidden', `filename="hidden.md"; filename*=UTF-8''..hidden.md`],
  ['a/b\\c:"d"', `filename="a_b_c__d_.md"; filename*=UTF-8''abcd.md`],
  ['Überblick', `filename="_berblick.md"; filename*=UTF-8''%C3%9Cberblick.md`],
  ['設計', `filename="__.md"; filename*=UTF-8''%E8%A8%AD%E8%A8%88.md`],
  ['😀', `filename="_.md"; filename*=UTF-8''%F0%9F%98%80.md`],
  ["it's (new)*", `filename="it_s__new__.md"; filename*=UTF-8''it%27s%20%28new%29.md`],
  ['...', `filename="knowledge.md"; filename*=UTF-8''....md`],
  ['\n', `filename="_.md"; filename*=UTF-8''knowledge.md`],
  ['a'.repeat(101), `filename="${'a'.repeat(100)}.md"; filename*=UTF-8''${'a'.repeat(101)}.md`],
])('the title %j is offered as %s', (title, expected) => {
  expect(titleDisposition(title, 'md', 'knowledge')).toBe(`attachment; ${expected}`)
})

test.each([
  ['notes.txt', 'filename="notes.txt"'],
  ['my notes (1).txt', 'filename="my notes (1).txt"'],
  ['a"b.txt', `filename="a_b.txt"; filename*=UTF-8''a%22b.txt`],
  ['größe.txt', `filename="gr__e.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt`],
])('the file %j is offered as %s', (name, expected) => {
  expect(fileDisposition(name)).toBe(`attachment; ${expected}`)
})

test('the header is one line of ASCII for any text', () => {
  const text = fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)),
    minLength: 1,
  })
  fc.assert(
    fc.property(text, any => {
      for (const header of [titleDisposition(any, 'md', 'knowledge'), fileDisposition(any)])
        expect(header).toMatch(/^attachment; filename="[ !#-[\]-~]*"(; filename\*=UTF-8''[\w.!~%-]+)?$/)
    }),
  )
})
