/** Continuous copies by Litestream alongside a running service (docs/deployment.md). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { describeOnSqlite } from '@specboard/storage/on-sqlite'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand, ServerProcess } from './support/command.ts'
import { eventually } from './support/eventually.ts'

const missing = spawnSync('litestream', ['version']).status === 0 ? '' : ': no litestream'

let root: string
let folder: string
let server: ServerProcess | undefined
let copier: ChildProcess | undefined

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'specboard-litestream-'))
  folder = join(root, 'data')
})

afterEach(async () => {
  await server?.end('SIGKILL')
  copier?.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

const copies = () => `file://${join(root, 'copies')}`

/** A database restored from the copies, in its current or an earlier state. */
function restored(name: string, ...of: readonly string[]): string {
  const into = join(root, name)
  mkdirSync(into, { mode: 0o700 })
  const { status, stderr } = spawnSync('litestream', ['restore', ...of, '-o', join(into, 'specboard.db'), copies()], {
    encoding: 'utf8',
  })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  return into
}

function boardNames(of: string): string[] {
  const database = new SqliteDatabase(join(of, 'specboard.db'), { readonly: true })
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    return database.prepare('select name from boards order by created_at, id').pluck().all() as string[]
  } finally {
    database.close()
  }
}

describeOnSqlite('copies all the time', () => {
  describe.skipIf(missing !== '')(`by Litestream${missing}`, () => {
    test('hold what was acknowledged seconds before the machine was lost, and of any moment', {
      timeout: 240_000,
    }, async () => {
      server = await ServerProcess.start(folder)
      const config = join(root, 'litestream.yml')
      const database = join(folder, 'specboard.db')
      writeFileSync(
        config,
        `dbs:\n  - path: ${database}\n    replica:\n      url: ${copies()}\n      sync-interval: 1s\n`,
      )
      copier = spawn('litestream', ['replicate', '-config', config], { stdio: 'ignore' })
      const client = createClient({ url: server.url, key: server.key! })
      const text = 'x'.repeat(190_000)
      const make = (name: string) => client.createBoard({ name, description: text })
      // More than the log holds before the service writes it back.
      const first = Array.from({ length: 100 }, (_, index) => `First ${index}`)
      for (const name of first) await make(name)
      await eventually(() => expect(boardNames(restored(`probe-${performance.now()}`))).toEqual(first))
      const moment = new Date(Date.now() + 1_000).toISOString()
      const second = Array.from({ length: 20 }, (_, index) => `Second ${index}`)
      await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(moment) + 1_000))
      for (const name of second) await make(name)
      await eventually(() => expect(boardNames(restored(`probe-${performance.now()}`))).toEqual([...first, ...second]))
      await server.end('SIGKILL')
      copier.kill('SIGKILL')

      const back = restored('back')
      expect(boardNames(restored('earlier', '-timestamp', moment))).toEqual(first)
      // The key of the secrets is no part of the database; what Litestream writes is readable by others.
      cpSync(join(folder, 'secret.key'), join(back, 'secret.key'))
      const { output } = await runCommand('doctor', '--fix', '--data-dir', back, '--port', '0')
      expect(output).not.toMatch(/^BAD/m)
      const key = server.key!
      server = await ServerProcess.start(back)
      const names = (await createClient({ url: server.url, key }).listBoards({ limit: 200 })).items.map(
        ({ name }) => name,
      )
      expect(names.toSorted()).toEqual([...first, ...second].toSorted())
    })
  })
})
