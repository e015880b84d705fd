import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contentsOf, replaceContents, settleContents } from './mounted-folder.ts'

const at = '2030-01-02T03:04:05.678Z'

const aside = 'before-20300102T030405678Z'

const partName = 'restored.part-1'

let folder: string
let part: string

/** The files with their texts; folders are left out. */
const textsIn = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name !== 'lock.db')
      .map(({ name }) => [name, readFileSync(join(path, name), 'utf8')]),
  )

const fill = (path: string, text: string, names: readonly string[]): void => {
  mkdirSync(path, { recursive: true })
  for (const name of names) writeFileSync(join(path, name), text)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-mounted-'))
  part = join(folder, partName)
  fill(part, 'new', ['specboard.db', 'secret.key'])
  mkdirSync(join(folder, 'lost+found'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('what is unpacked, the lock, and what a file system keeps there are no contents', () => {
  writeFileSync(join(folder, 'lock.db'), '')
  expect(contentsOf(folder)).toEqual([])
  expect(contentsOf(join(folder, 'absent'))).toEqual([])
})

test('an empty folder gets what was unpacked', () => {
  expect(replaceContents(part, folder, at)).toBeNull()
  expect(textsIn(folder)).toEqual({ 'specboard.db': 'new', 'secret.key': 'new' })
  expect(readdirSync(folder).toSorted()).toEqual(['lost+found', 'secret.key', 'specboard.db'])
})

test('what was there before is kept in a folder of its own', () => {
  fill(folder, 'old', ['specboard.db', 'mine'])
  expect(replaceContents(part, folder, at)).toBe(join(folder, aside))
  expect(textsIn(folder)).toEqual({ 'specboard.db': 'new', 'secret.key': 'new' })
  expect(textsIn(join(folder, aside))).toEqual({ 'specboard.db': 'old', mine: 'old' })
})

test('killed before all was aside, it goes back', () => {
  fill(folder, 'old', ['specboard.db', 'mine'])
  writeFileSync(join(folder, 'restore.note'), JSON.stringify({ part: partName, aside, isAside: false }))
  mkdirSync(join(folder, aside))
  renameSync(join(folder, 'specboard.db'), join(folder, aside, 'specboard.db'))
  settleContents(folder)
  expect(textsIn(folder)).toEqual({ 'specboard.db': 'old', mine: 'old' })
  expect(contentsOf(folder).toSorted()).toEqual(['mine', 'specboard.db'])
})

test('killed later, the rest follows', () => {
  fill(folder, 'old', [])
  fill(join(folder, aside), 'old', ['specboard.db'])
  writeFileSync(join(folder, 'restore.note'), JSON.stringify({ part: partName, aside, isAside: true }))
  renameSync(join(part, 'secret.key'), join(folder, 'secret.key'))
  settleContents(folder)
  expect(textsIn(folder)).toEqual({ 'specboard.db': 'new', 'secret.key': 'new' })
  expect(textsIn(join(folder, aside))).toEqual({ 'specboard.db': 'old' })
})

test.each([
  JSON.stringify({ part: '../elsewhere', aside, isAside: true }),
  JSON.stringify({ part: partName, aside: '../elsewhere', isAside: true }),
  JSON.stringify({ part: partName, aside: null, isAside: false }),
  '{',
])('the note %s is not followed', note => {
  writeFileSync(join(folder, 'restore.note'), note)
  settleContents(folder)
  expect(textsIn(folder)).toEqual({ 'restore.note': note })
})
