import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { Files, NamedFile } from './dropped.ts'
import { packed } from './folder.ts'

const file = (path: string, text = ''): NamedFile => ({ path, read: async () => new File([text], path) })

const folder = (name: string, ...entries: readonly NamedFile[]): Files => ({
  name,
  async *files() {
    yield* entries
  },
})

test('a file is taken as it is', async () => {
  const alone = new File(['text'], 'tasks.csv')
  expect(await packed(alone)).toBe(alone)
})

test('a folder is packed without what is never part of a backlog, and a board is not named after a hidden folder', async () => {
  const inside = [
    file('issues.jsonl', '{}'),
    file('.git/HEAD', 'ref'),
    file('a/node_modules/b.js', 'x'),
    file('a/ß.md', 'ß'),
  ]
  const zip = await packed(folder('.beads', ...inside))
  expect(zip.name).toBe('beads.zip')
  const entries = Object.entries(unzipSync(await zip.bytes()))
  expect(entries.map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])).toEqual([
    ['issues.jsonl', '{}'],
    ['a/ß.md', 'ß'],
  ])
})

test('a folder without files, one that is too large and one with a file that cannot be read are refused, with the reason', async () => {
  await expect(packed(folder('empty', file('.git/HEAD')))).rejects.toThrow('empty holds no files.')
  const unreadable = { path: 'a/locked.md', read: () => Promise.reject(new Error('no')) }
  await expect(packed(folder('work', file('a.md'), unreadable))).rejects.toThrow(/^a\/locked\.md could not be read/)
  const huge = {
    path: 'a.bin',
    read: async () => Object.defineProperty(new File([], 'a.bin'), 'size', { value: 2 ** 29 }),
  }
  await expect(packed(folder('work', huge))).rejects.toThrow(/^work holds more than 256 MB/)
})
