import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Checkpointer } from './checkpointer.ts'
import { Connection } from './connection.ts'

let folder: string
let writer: Connection
let checkpointer: Checkpointer

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-checkpoint-'))
  const file = join(folder, 'specboard.db')
  writer = new Connection(file, { readonly: false, cacheMb: 4, checkpointPages: 1_000_000 })
  writer.exec('create table pages (text)')
  checkpointer = new Checkpointer(file, writer, { fromPages: 100, restMs: 0, askMs: 0, idleMs: 50 })
})

afterEach(async () => {
  await checkpointer.end()
  writer.close()
  rmSync(folder, { recursive: true, force: true })
})

const writePages = (count: number) => {
  writer.exec('begin')
  for (let page = 0; page < count; page++) writer.execute('insert into pages values (?)', ['x'.repeat(4_000)])
  writer.exec('commit')
  checkpointer.committed()
}

const log = () => writer.rows<{ log: number; checkpointed: number }>('pragma wal_checkpoint(noop)')[0]!

test('a log that has grown is written back, and begins anew', async () => {
  expect(checkpointer.passes).toBeUndefined()
  writePages(150)
  await checkpointer.passes
  expect(checkpointer.passes).toBeUndefined()
  expect(log().checkpointed).toBe(log().log)
  writePages(10)
  expect(log().log).toBeLessThan(50)
})

test('a short log stays', async () => {
  writePages(10)
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(log().checkpointed).toBe(0)
})

test('a thread that no log needs ends, and the next log gets another', async () => {
  const ends = vi.spyOn(Worker.prototype, 'terminate')
  for (const logs of [1, 2]) {
    writePages(150)
    await checkpointer.passes
    await vi.waitFor(() => expect(ends).toHaveBeenCalledTimes(logs))
    expect(log().checkpointed).toBe(log().log)
  }
  ends.mockRestore()
})

test('writers wait while what they wrote during the first pass follows', async () => {
  writePages(150)
  expect(checkpointer.hold).toBeUndefined()
  while (checkpointer.hold === undefined) {
    writePages(5)
    await new Promise(resolve => setImmediate(resolve))
  }
  await checkpointer.hold
  expect(log().checkpointed).toBe(log().log)
  await vi.waitFor(() => expect(checkpointer.hold).toBeUndefined())
})

test('once it has ended, nothing is written back any more', async () => {
  await checkpointer.end()
  writePages(150)
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(log().checkpointed).toBe(0)
})

test('a thread that cannot open the database holds nobody', async () => {
  const lost = new Checkpointer(join(folder, 'gone', 'specboard.db'), writer, {
    fromPages: 10,
    restMs: 0,
    askMs: 0,
    idleMs: 50,
  })
  writer.exec('begin')
  for (let page = 0; page < 50; page++) writer.execute('insert into pages values (?)', ['x'.repeat(4_000)])
  writer.exec('commit')
  lost.committed()
  await lost.end()
  expect(lost.hold).toBeUndefined()
  expect(log().checkpointed).toBe(0)
})
