import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Connection } from './connection.ts'
import { databaseFile, indexFile, logFile } from './data-folder.ts'
import { FileWatch } from './file-watch.ts'

let root: string
let folder: string
let file: string
let writer: Connection
let watch: FileWatch

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'specboard-watch-'))
  folder = join(root, 'data')
  mkdirSync(folder)
  file = databaseFile(folder)
  writer = new Connection(file, { readonly: false, cacheMb: 4 })
  writer.exec('create table notes (id integer primary key, text text)')
  for (let note = 0; note < 50; note++) write()
  writer.pragma('wal_checkpoint(passive)')
  for (let note = 0; note < 5; note++) write()
  watch = new FileWatch(file)
})

afterEach(() => {
  writer.close()
  watch.close()
  rmSync(root, { recursive: true, force: true })
})

const write = (connection = writer) => connection.execute('insert into notes (text) values (?)', ['x'.repeat(2_000)])

/** Another database, by default of the same size. */
function other(notes = 55): string {
  const path = join(root, 'other.db')
  const connection = new Connection(path, { readonly: false, cacheMb: 4 })
  connection.exec('create table others (id integer primary key, text text)')
  for (let note = 0; note < notes; note++)
    connection.execute('insert into others (text) values (?)', ['y'.repeat(2_000)])
  connection.close()
  return path
}

describe('what SQLite does itself is no loss', () => {
  test('nothing, writes, writing back, and a log that begins anew', () => {
    expect(watch.look()).toBeUndefined()
    for (let round = 0; round < 5; round++) {
      for (let note = 0; note < 20; note++) write()
      expect(watch.look()).toBeUndefined()
      writer.pragma(round % 2 === 0 ? 'wal_checkpoint(passive)' : 'wal_checkpoint(truncate)')
      expect(watch.look()).toBeUndefined()
    }
  })

  test('writes and writing back by another connection', () => {
    const beside = new Connection(file, { readonly: false, cacheMb: 4 })
    write(beside)
    beside.pragma('wal_checkpoint(restart)')
    write(beside)
    beside.close()
    expect(watch.look()).toBeUndefined()
  })

  test('a database that VACUUM makes smaller', () => {
    writer.exec('delete from notes')
    writer.pragma('wal_checkpoint(passive)')
    expect(watch.look()).toBeUndefined()
    writer.exec('vacuum')
    writer.pragma('wal_checkpoint(truncate)')
    expect(watch.look()).toBeUndefined()
  })

  test('a changed time alone', () => {
    utimesSync(file, 1, 1)
    expect(watch.look()).toBeUndefined()
  })
})

describe('tells that', () => {
  test.each([
    ['specboard.db', () => file],
    ['specboard.db-wal', () => logFile(file)],
    ['specboard.db-shm', () => indexFile(file)],
  ])('%s was removed or replaced', (name, path) => {
    const backup = join(root, 'kept')
    renameSync(path(), backup)
    expect(watch.look()?.cause).toBe(`${name} was removed`)
    copyFileSync(backup, path())
    expect(watch.look()?.cause).toBe(`${name} was replaced by another file`)
    rmSync(path())
    renameSync(backup, path())
    expect(watch.look()).toBeUndefined()
  })

  test('the folder is gone', () => {
    renameSync(folder, join(root, 'moved'))
    expect(watch.look()?.cause).toMatch(/ was removed$/)
    writeFileSync(folder, 'no folder')
    expect(watch.look()?.cause).toMatch(/ was removed$/)
  })

  test('the database was shortened, by a page or to nothing', () => {
    truncateSync(file, readFileSync(file).length - 4_096)
    expect(watch.look()?.cause).toBe('specboard.db was shortened')
    truncateSync(file, 0)
    expect(watch.look()?.cause).toBe('specboard.db was shortened')
  })

  test('the log was shortened', () => {
    truncateSync(logFile(file), 32 + 4_120)
    expect(watch.look()?.cause).toBe('specboard.db-wal was shortened')
  })

  test.each([
    ['smaller', 1, 'shortened'],
    ['as large', 55, 'overwritten'],
    ['larger', 200, 'overwritten'],
  ])('the database was overwritten in place by one that is %s', (_, notes, how) => {
    writeFileSync(file, readFileSync(other(notes)))
    expect(watch.look()?.cause).toBe(`specboard.db was ${how}`)
  })

  test('the log was overwritten', () => {
    const bytes = readFileSync(logFile(file))
    writeFileSync(logFile(file), bytes.fill(7, 0, 32))
    expect(watch.look()?.cause).toBe('specboard.db-wal was overwritten')
  })
})

test('a second end leaves alone what was opened since', () => {
  writer.close()
  watch.close()
  const opened = [1, 2, 3].map(() => openSync(file, 'r'))
  watch.close()
  for (const descriptor of opened) expect(() => closeSync(descriptor)).not.toThrow()
})
