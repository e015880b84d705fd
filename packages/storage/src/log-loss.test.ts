import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Connection } from './connection.ts'
import { databaseFile, indexFile, logFile } from './data-folder.ts'
import { keepLog, keptLogs, logEndedEarly, logLossText } from './log-loss.ts'
import { frameHeaderBytes, logHeaderBytes, readLog } from './log-reader.ts'

const pageSize = 4_096
const frameBytes = frameHeaderBytes + pageSize

let root: string
let live: string
let killed: string
let writer: Connection

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'specboard-log-'))
  live = databaseFile(join(root))
  killed = join(root, 'killed.db')
  writer = new Connection(live, { readonly: false, cacheMb: 4 })
  writer.exec('create table notes (id integer primary key, text text)')
})

afterEach(() => {
  writer.close()
  rmSync(root, { recursive: true, force: true })
})

const write = (text: string) => writer.execute('insert into notes (text) values (?)', [text])

/**
 * Copies the files in the state in which a killed process leaves them; without the index, in the state after a power
 * cut.
 */
function kill({ index = true } = {}): void {
  copyFileSync(live, killed)
  copyFileSync(logFile(live), logFile(killed))
  if (index) copyFileSync(indexFile(live), indexFile(killed))
}

/** Changes the bytes of the log that was left, or of its index. */
function damage(change: (bytes: Buffer) => Buffer | undefined, file = logFile(killed)): void {
  const bytes = readFileSync(file)
  writeFileSync(file, change(bytes) ?? bytes)
}

const frames = () => (statSync(logFile(killed)).size - logHeaderBytes) / frameBytes
const at = (frame: number, offset = 0) => logHeaderBytes + (frame - 1) * frameBytes + offset
const flip = (offset: number) =>
  damage(bytes => {
    bytes[offset]! ^= 0x40
    return undefined
  })
const cutTo = (bytes: number) => damage(whole => whole.subarray(0, bytes))

/** How many notes SQLite recovers. */
function recovered(): number {
  const connection = new Connection(killed, { readonly: false, cacheMb: 4 })
  const [{ count }] = connection.rows<{ count: number }>('select count(*) as count from notes') as [{ count: number }]
  connection.close()
  return count
}

describe('a log that was left', () => {
  test.each([{ index: true }, { index: false }])('whole is no loss, with %j', how => {
    for (let note = 1; note <= 30; note++) write(`note ${note}`)
    kill(how)
    expect(readLog(logFile(killed), pageSize)).toMatchObject({ lastCommit: frames(), continues: false })
    expect(logEndedEarly(killed)).toBe(false)
    expect(recovered()).toBe(30)
  })

  test('and whole after it was begun anew is none: older frames lie behind the end', () => {
    for (let note = 1; note <= 30; note++) write('x'.repeat(3_000))
    writer.pragma('wal_checkpoint(passive)')
    for (let note = 1; note <= 3; note++) write('y')
    kill()
    expect(readLog(logFile(killed), pageSize).lastCommit).toBeLessThan(frames())
    expect(logEndedEarly(killed)).toBe(false)
  })

  test('of a stopped service is none, and neither is none at all', () => {
    write('note')
    writer.close()
    copyFileSync(live, killed)
    expect(logEndedEarly(killed)).toBe(false)
    expect(logEndedEarly(join(root, 'absent.db'))).toBe(false)
    writer = new Connection(live, { readonly: false, cacheMb: 4 })
  })

  test.each([
    ['the page', frameHeaderBytes + 1_000],
    ['the checksum', 17],
    ['the salt', 9],
    ['the number of the page', 2],
    ['the mark of the commit', 6],
  ])('with one bit changed in %s of a frame in the middle lost what followed', (_, offset) => {
    for (let note = 1; note <= 30; note++) write(`note ${note}`)
    kill({ index: false })
    flip(at(Math.floor(frames() / 2), offset))
    expect(logEndedEarly(killed)).toBe(true)
    expect(recovered()).toBeLessThan(30)
  })

  test('damaged in any frame but those of the last commit lost what followed', () => {
    for (let note = 1; note <= 5; note++) write(`note ${note}`)
    kill({ index: false })
    const whole = readFileSync(logFile(killed))
    // Each of the last notes is one frame.
    for (let frame = 1; frame <= frames(); frame++) {
      writeFileSync(logFile(killed), whole)
      flip(at(frame, frameHeaderBytes + 100))
      expect(logEndedEarly(killed), `frame ${frame} of ${frames()}`).toBe(frame < frames())
    }
  })

  test('with sectors of nothing in the middle lost what followed', () => {
    for (let note = 1; note <= 30; note++) write(`note ${note}`)
    kill({ index: false })
    damage(bytes => bytes.fill(0, at(10, 500), at(12, 700)))
    expect(logEndedEarly(killed)).toBe(true)
  })

  test.each([
    ['magic number', 1],
    ['page size', 10],
    ['salt', 18],
    ['checksum', 25],
  ])('whose header is damaged in its %s lost all', (_, offset) => {
    for (let note = 1; note <= 30; note++) write(`note ${note}`)
    kill({ index: false })
    flip(offset)
    expect(readLog(logFile(killed), pageSize)).toMatchObject({ lastCommit: 0, salts: undefined })
    expect(logEndedEarly(killed)).toBe(true)
  })
})

describe('a write that a power cut tore', () => {
  beforeEach(() => {
    for (let note = 1; note <= 5; note++) write(`note ${note}`)
    kill({ index: false })
  })

  test('is no loss: it was never acknowledged', () => {
    const before = frames()
    writer.exec(`insert into notes (text) values ${Array.from({ length: 30 }, () => `('${'x'.repeat(3_000)}')`)}`)
    kill({ index: false })
    expect(frames()).toBeGreaterThan(before + 10)
    const whole = readFileSync(logFile(killed))
    for (const torn of [
      () => cutTo(at(frames(), 2_000)),
      () => flip(at(before + 3, frameHeaderBytes + 5)),
      () => damage(bytes => bytes.fill(0, at(before + 1), at(before + 9, 512))),
      () => flip(at(frames(), frameHeaderBytes + 5)),
    ]) {
      writeFileSync(logFile(killed), whole)
      torn()
      expect(readLog(logFile(killed), pageSize).lastCommit).toBe(before)
      expect(logEndedEarly(killed)).toBe(false)
    }
  })

  test('is none either once later writes lie over a part of it', () => {
    const before = frames()
    writer.exec(`insert into notes (text) values ${Array.from({ length: 30 }, () => `('${'x'.repeat(3_000)}')`)}`)
    kill({ index: false })
    flip(at(before + 3, frameHeaderBytes + 5))
    const after = new Connection(killed, { readonly: false, cacheMb: 4 })
    for (let note = 1; note <= 3; note++) after.execute('insert into notes (text) values (?)', ['later'])
    const again = join(root, 'again.db')
    copyFileSync(killed, again)
    copyFileSync(logFile(killed), logFile(again))
    after.close()
    expect(readLog(logFile(again), pageSize).lastCommit).toBeGreaterThan(before)
    expect(logEndedEarly(again)).toBe(false)
  })
})

describe('frames that the index of a killed process names', () => {
  beforeEach(() => {
    for (let note = 1; note <= 30; note++) write(`note ${note}`)
    kill()
  })

  test('are lost when the log is shorter', () => {
    cutTo(at(20))
    expect(logEndedEarly(killed)).toBe(true)
  })

  test('are lost when the log is gone', () => {
    rmSync(logFile(killed))
    expect(logEndedEarly(killed)).toBe(true)
  })

  test('are lost when the last of them is damaged', () => {
    flip(at(frames(), frameHeaderBytes + 5))
    expect(logEndedEarly(killed)).toBe(true)
  })

  test('are not lost once they were written back to the database', () => {
    writer.pragma('wal_checkpoint(passive)')
    kill()
    rmSync(logFile(killed))
    expect(logEndedEarly(killed)).toBe(false)
  })

  test('tell nothing when the index is damaged or of another log', () => {
    cutTo(at(20))
    damage(bytes => {
      bytes[17]! ^= 1
      return undefined
    }, indexFile(killed))
    expect(logEndedEarly(killed)).toBe(false)
  })
})

test('a log is kept once, and tells since when writes may be missing', () => {
  write('note')
  const since = '2030-01-02T03:04:05.678Z'
  keepLog(live, since)
  keepLog(live, since)
  expect(keptLogs(live)).toEqual([{ name: 'specboard.db-wal.damaged-2030-01-02T03.04.05.678Z', since }])
  expect(readFileSync(join(root, keptLogs(live)[0]!.name))).toEqual(readFileSync(logFile(live)))
  expect(readdirSync(root)).toHaveLength(4)
  expect(logLossText(root, since)).toBe(
    `the log ended early: writes since ${since} may be missing; newest backup: none`,
  )
})
