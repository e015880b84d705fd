/**
 * Kills the server with SIGKILL while clients write, starts it again, and looks for every acknowledged write. Prints
 * rounds, acknowledged and lost writes, and false alarms: starts that report a loss. Exits 1 when there is any of
 * these, or damage.
 *
 * With `--backfill` it kills the server while a backfill of the knowledge graph runs instead: the result must equal
 * that of an undisturbed rebuild from the same records.
 *
 * Usage: pnpm crash [--backfill] [rounds]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@specboard/client'
import { inspectDatabase } from '@specboard/domain'
import { killAfter, type ServerProcess, startProduct } from './bench/processes.ts'
import { progress } from './progress.ts'

const { values, positionals } = parseArgs({ options: { backfill: { type: 'boolean' } }, allowPositionals: true })
const rounds = Number(positionals[0] ?? 20)

if (values.backfill) {
  const { crashBackfill } = await import('./crash-backfill.ts')
  process.exit(await crashBackfill(rounds))
}

const writers = 8
const folder = mkdtempSync(join(tmpdir(), 'specboard-crash-'))

/** The acknowledged writes of one writer: its ideations, and the last version of the one that it edits. */
interface Acknowledged {
  readonly created: string[]
  edited: { readonly id: string; version: number } | undefined
}

const all: Acknowledged = { created: [], edited: undefined }
let edits = 0
let lost = 0
let damaged = 0
let alarms = 0
let key = ''
let boardId = ''

const bar = progress('crash test', rounds, () => ({ acknowledged: all.created.length + edits, lost }))
try {
  for (let round = 0; round < rounds; round++) {
    const server = await startProduct(folder)
    alarms += await alarm(server)
    if (round === 0) {
      key = server.key!
      boardId = (await createClient({ url: server.url, key }).createBoard({ name: 'Crash', description: '' })).id
    }
    lost += await missing(server)
    await writeUntilKilled(server, 150 + Math.random() * 450)
    bar.step()
  }
  const last = await startProduct(folder)
  alarms += await alarm(last)
  lost += await missing(last)
  const { integrity, brokenReferences } = await inspectDatabase(folder)
  if (integrity !== 'ok' || brokenReferences > 0) damaged++
  await last.stop()
  bar.end()
  console.log(
    `rounds ${rounds}, acknowledged ${all.created.length + edits}, lost ${lost}, false alarms ${alarms}, integrity_check ${integrity}`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = lost + damaged + alarms > 0 ? 1 : 0

/** 1 when a start reports that something is wrong with the storage (trust 5). */
async function alarm({ url }: ServerProcess): Promise<number> {
  return (await createClient({ url, key: '' }).getHealth({})).status === 'healthy' ? 0 : 1
}

/** Writes with several clients until the server is killed after some milliseconds. */
async function writeUntilKilled(server: ServerProcess, afterMs: number): Promise<void> {
  const client = createClient({ url: server.url, key })
  const gone = killAfter(afterMs, server)
  const write = async (writer: number) => {
    for (let count = 0; server.child.exitCode === null && server.child.signalCode === null; count++) {
      const made = await client.createIdeation({ board_id: boardId, title: `Writer ${writer}, write ${count}` })
      all.created.push(made.id)
      if (writer !== 0) continue
      all.edited ??= { id: made.id, version: made.version }
      const { version } = await client.updateIdeation({ ideation_id: all.edited.id, description: `${Math.random()}` })
      all.edited.version = version
      edits++
    }
  }
  const writing = Promise.allSettled(Array.from({ length: writers }, (_, writer) => write(writer)))
  await gone
  await writing
}

/** The number of acknowledged writes that the server has lost. */
async function missing(server: ServerProcess): Promise<number> {
  if (all.created.length === 0) return 0
  const client = createClient({ url: server.url, key })
  const { items } = await client.listIdeations({ board_id: boardId })
  const stored = new Map(items.map(item => [item.id, item.version]))
  const absent = all.created.filter(id => !stored.has(id)).length
  const stale = all.edited !== undefined && (stored.get(all.edited.id) ?? 0) < all.edited.version ? 1 : 0
  return absent + stale
}
