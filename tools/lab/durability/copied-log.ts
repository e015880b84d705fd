/** Continuous copies of a database by Litestream, as docs/deployment.md sets them up. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import type { Lab } from '../harness/lab.ts'
import { killed, type Service, succeeded } from '../harness/service.ts'

/** Why copies cannot be tested here; undefined if they can. */
export const withoutLitestream = (): string | undefined =>
  spawnSync('litestream', ['version']).status === 0 ? undefined : 'no litestream'

/** A write that was answered, and when. */
interface AcknowledgedWrite {
  readonly title: string
  readonly at: number
}

/** What was missing in the copies of a lost machine. */
export interface Lack {
  readonly acknowledged: number
  readonly lost: number
  /** How long before the loss the oldest missing write was acknowledged, ms; 0 if none is missing. */
  readonly lostMs: number
  /** Like `lostMs`, for a restore to a moment, counted back from that moment. */
  readonly lackingMs: number
  /** Writes that began after the moment but are in the restore to it. */
  readonly later: number
}

const writers = 4

/**
 * Kills a service that is written to together with its copier, and restores the copies: once to the newest state, once
 * to a moment.
 */
export async function loseMachine(lab: Lab, name: string, writingMs: number): Promise<Lack> {
  const server = await lab.start(name)
  const copier = copy(lab, name)
  lab.atEnd(() => killed(copier))
  const writes: AcknowledgedWrite[] = []
  const writing = write(server, writes)
  await pause(writingMs)
  await Promise.all([killed(server.child), killed(copier)])
  const lostAt = Date.now()
  await writing
  const moment = lostAt - writingMs / 3
  const found = await restored(lab, name)
  const earlier = await restored(lab, name, '-timestamp', new Date(moment).toISOString())
  const lost = writes.filter(({ title }) => !found.has(title))
  const lacking = writes.filter(({ title, at }) => at <= moment && !earlier.has(title))
  return {
    acknowledged: writes.length,
    lost: lost.length,
    lostMs: sinceOldest(lost, lostAt),
    lackingMs: sinceOldest(lacking, moment),
    later: [...earlier].filter(title => beganAt(title) > moment).length,
  }
}

const sinceOldest = (writes: readonly AcknowledgedWrite[], until: number): number =>
  Math.max(0, ...writes.map(({ at }) => until - at))

/** Titles contain the time when their write began. */
const titleNow = () => `${Date.now()} ${crypto.randomUUID()}`
const beganAt = (title: string): number => Number(title.split(' ')[0])

const copiesOf = (lab: Lab, name: string): string => `file://${lab.path(`${name}-copies`)}`

function copy(lab: Lab, name: string): ChildProcess {
  const config = lab.path(`${name}.yml`)
  const database = lab.path(name, 'specboard.db')
  writeFileSync(
    config,
    `dbs:\n  - path: ${database}\n    replica:\n      url: ${copiesOf(lab, name)}\n      sync-interval: 1s\n`,
  )
  return spawn('litestream', ['replicate', '-config', config], { stdio: 'ignore' })
}

/** Creates ideations side by side until the server is gone. */
async function write({ client }: Service, writes: AcknowledgedWrite[]): Promise<void> {
  const { id: board_id } = await client.createBoard({ name: 'Crash', description: '' })
  const writer = async () => {
    for (;;) {
      const title = titleNow()
      await client.createIdeation({ board_id, title })
      writes.push({ title, at: Date.now() })
    }
  }
  await Promise.allSettled(Array.from({ length: writers }, writer))
}

/** The titles of the ideations in a restored database, which must not be damaged. */
async function restored(lab: Lab, name: string, ...of: readonly string[]): Promise<ReadonlySet<string>> {
  const folder = lab.path(`${name}-restored${of.join('')}`)
  mkdirSync(folder, { mode: 0o700 })
  const file = join(folder, 'specboard.db')
  await succeeded(spawn('litestream', ['restore', ...of, '-o', file, copiesOf(lab, name)], { stdio: 'ignore' }))
  const database = new SqliteDatabase(file, { readonly: true })
  try {
    if (database.pragma('integrity_check', { simple: true }) !== 'ok')
      throw new Error('The restored database is damaged.')
    return new Set(database.prepare('select title from ideations').pluck().all() as string[])
  } finally {
    database.close()
  }
}
