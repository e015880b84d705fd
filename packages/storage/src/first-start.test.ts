import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refuseMissingDatabase } from './first-start.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-first-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const companions = ['files', 'key']
const make = (...paths: string[]) => {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), 'bytes')
  }
}
const refused = () => {
  try {
    refuseMissingDatabase(folder, companions)
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(folder, '<folder>') : ''
  }
  return undefined
}

test('an empty folder, one with foreign files, and one that is not there are first starts', () => {
  expect(refused()).toBeUndefined()
  make('lock.db', 'notes.txt')
  mkdirSync(join(folder, 'files', 'board'), { recursive: true })
  expect(refused()).toBeUndefined()
  rmSync(folder, { recursive: true })
  expect(refused()).toBeUndefined()
})

test.each([
  [['files/board/a.txt'], 'files'],
  [['key'], 'key'],
  [['key', 'files/a'], 'files and key'],
  [['specboard.db-wal'], 'specboard.db-wal'],
])('%j without a database are refused with what to do', (paths, names) => {
  make(...paths)
  expect(refused()).toBe(
    `There is no specboard.db in <folder>, but ${names}: the database is missing. ` +
      `Restore it (newest backup: none), or move ${names} elsewhere to start over.`,
  )
  make('before-0002.db')
  expect(refused()).toMatch(/newest backup: before-0002\.db of \d{4}-/)
  writeFileSync(join(folder, 'specboard.db'), '')
  expect(refused()).toMatch(/^There is no specboard\.db/)
  make('specboard.db')
  expect(refused()).toBeUndefined()
})

test('a rescued copy without a database is refused with what to do', () => {
  make('specboard.db.rescued', 'key')
  expect(refused()).toMatch(
    /^There is no specboard\.db in <folder>, but specboard\.db\.rescued, .*Rename it to specboard\.db to continue/,
  )
})
