import { expect, test } from 'vitest'
import { contentType, mimeTypeOf, originalName, storedName } from './names.ts'

test.each([
  ['notes.txt', 'notes.txt'],
  ['/etc/passwd', 'passwd'],
  ['..\\..\\evil.txt', 'evil.txt'],
  ['C:\\dir/file.txt', 'file.txt'],
  ['a\u0000b\nc\u0085.txt', 'abc.txt'],
  ['', 'unnamed'],
  ['.', 'unnamed'],
  ['dir/..', 'unnamed'],
  ['dir/', 'unnamed'],
  ['größe 😀.txt', 'größe 😀.txt'],
  ['😀'.repeat(300), '😀'.repeat(255)],
])('the name %j is kept as %j', (original, name) => {
  expect(originalName(original)).toBe(name)
})

test('stored names are unique', () => {
  expect(storedName('größe 1.txt')).toMatch(/^[0-9a-f]{16}_gr__e_1\.txt$/)
  expect(storedName('a'.repeat(255))).toMatch(/^[0-9a-f]{16}_a{103}$/)
  expect(storedName('a')).not.toBe(storedName('a'))
})

test.each([
  ['image/png', 'a.txt', 'image/png'],
  ['Text/HTML; charset=latin1', 'a', 'text/html'],
  [null, 'a.PNG', 'image/png'],
  ['', 'a.md', 'text/markdown'],
  ['nonsense', 'a.json', 'application/json'],
  ['a/b c', 'a.pdf', 'application/pdf'],
  [`a/${'b'.repeat(99)}`, 'a', 'application/octet-stream'],
  [null, 'constructor', 'application/octet-stream'],
  [null, 'x.constructor', 'application/octet-stream'],
])('declared %j, named %j: %s', (declared, name, type) => {
  expect(mimeTypeOf(declared, name)).toBe(type)
})

test('text is downloaded with its charset', () => {
  expect([contentType('text/csv'), contentType('image/png')]).toEqual(['text/csv; charset=utf-8', 'image/png'])
})
