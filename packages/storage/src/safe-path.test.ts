import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { objectKey, pathPart, pathUnder, realPathUnder, UnsafePath } from './safe-path.ts'

const id = '019cadd3-d676-7e1f-b6d3-02a8b5f94c37'
const digest = 'a'.repeat(64)

let root: string

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'specboard-paths-')))
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('parts of paths (walls 1)', () => {
  const hostile = [
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'a\\b',
    '/etc',
    '.ssh',
    '-rf',
    'a\u0000b',
    'a\nb',
    'é',
    'x'.repeat(256),
  ]

  test.each(hostile)('%j is none', text => {
    for (const kind of ['id', 'digest', 'name'] as const) expect(() => pathPart[kind](text)).toThrow(UnsafePath)
  })

  test.each([id.toUpperCase(), `${id}\n`, `{${id}}`, id.slice(1), digest])('%j is no id', text => {
    expect(() => pathPart.id(text)).toThrow(UnsafePath)
  })

  test('an id, a digest and a plain name make keys and paths', () => {
    const parts = [pathPart.name('attachments'), pathPart.id(id), pathPart.digest(digest)]
    expect(objectKey(...parts)).toBe(`attachments/${id}/${digest}`)
    expect(pathUnder(root, ...parts)).toBe(join(root, 'attachments', id, digest))
  })
})

describe('a path under a root', () => {
  test('does not leave it by a link, of a folder or of a file', () => {
    mkdirSync(join(root, 'inside'))
    symlinkSync(tmpdir(), join(root, 'out'))
    symlinkSync('/etc/passwd', join(root, 'file'))
    symlinkSync('inside', join(root, 'in'))
    expect(() => pathUnder(root, pathPart.name('out'), pathPart.name('x'))).toThrow(UnsafePath)
    expect(() => pathUnder(root, pathPart.name('file'))).toThrow(UnsafePath)
    expect(pathUnder(root, pathPart.name('in'), pathPart.name('new'))).toBe(join(root, 'in', 'new'))
  })

  test('is given as it is after links, if there', () => {
    expect(realPathUnder(root, '.')).toBe(root)
    expect(realPathUnder(root, 'in/new')).toBe(join(root, 'inside', 'new'))
    expect(realPathUnder(root, '../other')).toBeUndefined()
    expect(realPathUnder(join(root, 'inside'), join(root, 'inside-too'))).toBeUndefined()
  })

  test('does not leave it by a link to what is not there yet', () => {
    symlinkSync(join(tmpdir(), 'specboard-never-there'), join(root, 'dangling'))
    expect(() => pathUnder(root, pathPart.name('dangling'))).toThrow(UnsafePath)
  })
})
