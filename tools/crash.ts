/**
 * Kills the server with SIGKILL while clients write over HTTP and MCP, starts it again, and compares what it holds with
 * what the clients were told. One round in twenty kills it during a migration, one during a checkpoint. Exits 1 when
 * an acknowledged write is lost, one is half there (a row without its event or file, an event without its row), one
 * repeated under its Idempotency-Key is answered otherwise or there twice, a start takes more than 2 s or reports a loss,
 * or the database is damaged. The last line is a row of the table in `docs/reliability.md`.
 *
 * With `--backfill` it kills the server while a backfill of the knowledge graph runs instead: the result must equal
 * that of an undisturbed rebuild from the same records.
 *
 * Usage: pnpm crash [--backfill] [rounds, 20 unless said]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@specboard/client'
import { inspectDatabase } from '@specboard/domain'
import { keepFilesPrivate } from '@specboard/storage'
import { percentile } from './bench/percentiles.ts'
import { isAlive, killed, launchProduct, type ServerProcess, startProduct } from './bench/processes.ts'
import { checkpointBegins, migrationBegins } from './crash/moments.ts'
import { backupsIn, isWhole, putBack } from './crash/older-database.ts'
import { type Findings, findingsIn } from './durability/findings.ts'
import { Ledger } from './durability/ledger.ts'
import { type Desk, makeDesk, repeated, write } from './durability/writers.ts'
import { progress } from './progress.ts'
import { tableRow } from './table-row.ts'

const { values, positionals } = parseArgs({ options: { backfill: { type: 'boolean' } }, allowPositionals: true })
const rounds = Number(positionals[0] ?? 20)

if (values.backfill) {
  const { crashBackfill } = await import('./crash-backfill.ts')
  process.exit(await crashBackfill(rounds))
}

/** A start must be ready so soon, ms. */
const slowestStartMs = 2_000

/** A round that ends while clients write lasts so many of them, on average. */
const writesInRound = 230

/** No checkpoint is waited for longer than this, ms. */
const longestMs = 20_000

/** The clients of these rounds write so much that the log is soon written back, characters each. */
const longDescription = 16_000

keepFilesPrivate()
const settings = { SPECBOARD_MCP_RATE_LIMIT: '0' }
const root = mkdtempSync(join(tmpdir(), 'specboard-crash-'))
const folder = join(root, 'data')

const ledger = new Ledger()
const starts: number[] = []
const counts = { lost: 0, half: 0, twice: 0, different: 0, alarms: 0, damaged: 0 }
const kills = { writing: 0, migration: 0, checkpoint: 0 }
let desk: Desk | undefined
/** Which creations the last round tried. */
let since = 0

const bar = progress('crash test', rounds, () => ({ acknowledged: ledger.acknowledged, lost: counts.lost }))
try {
  for (let round = 0; round < rounds; round++) {
    const server = await start()
    if (round % 20 === 9) await killDuringMigration(server)
    else if (round % 20 === 19) await killDuringCheckpoint(server)
    else await killDuringWrites(server)
    bar.step()
  }
  const last = await start()
  await last.stop()
  const { integrity, brokenReferences } = await inspectDatabase(folder)
  if (integrity !== 'ok' || brokenReferences > 0) counts.damaged++
  bar.end()
} finally {
  rmSync(root, { recursive: true, force: true })
}
const [worst, p95] = [Math.max(...starts), percentile(starts, 0.95)]
const figures = [
  `${ledger.acknowledged} acknowledged`,
  `killed while writing ${kills.writing}, in a migration ${kills.migration}, in a checkpoint ${kills.checkpoint}`,
  `lost ${counts.lost}, half ${counts.half}, twice ${counts.twice}, answered otherwise ${counts.different}`,
  `false alarms ${counts.alarms}, damaged ${counts.damaged}`,
  `ready after ${Math.round(p95)} ms (p95), ${Math.round(worst)} ms at worst`,
]
for (const line of figures) console.log(line)
console.log(tableRow(`pnpm crash ${rounds}`, String(rounds), figures.join('; ')))
process.exitCode = Object.values(counts).some(count => count > 0) || worst > slowestStartMs ? 1 : 0

/** Starts the server, and compares what it holds with what is known. */
async function start(): Promise<ServerProcess> {
  const began = performance.now()
  const server = await startProduct(folder, settings)
  starts.push(performance.now() - began)
  if ((await createClient({ url: server.url, key: '' }).getHealth({})).status !== 'healthy') counts.alarms++
  desk = desk === undefined ? await makeDesk(server.url, server.key!) : { ...desk, url: server.url }
  const tried = [...ledger.creations.values()].slice(since).filter(({ idempotencyKey }) => idempotencyKey !== undefined)
  const unknown = tried.filter(({ answer }) => answer === undefined)
  const known = tried.filter(({ answer }) => answer !== undefined).slice(-20)
  counts.different += (await repeated(desk, [...unknown, ...known])).length
  since = ledger.creations.size
  add(await findingsIn(folder, ledger))
  const created = [...ledger.creations.values()].filter(({ answer }) => answer !== undefined)
  for (const backup of backupsIn(folder)) {
    if (!isWhole(backup, created)) counts.damaged++
    rmSync(backup)
  }
  return server
}

function add({ lost, half, twice }: Findings): void {
  counts.lost = Math.max(counts.lost, lost)
  counts.half = Math.max(counts.half, half)
  counts.twice = Math.max(counts.twice, twice)
}

async function killDuringWrites(server: ServerProcess): Promise<void> {
  const enough = ledger.acknowledged + writesInRound * (0.5 + Math.random())
  const writing = write(desk!, ledger, { goesOn: () => isAlive(server.child) })
  while (ledger.acknowledged < enough) await pause(5)
  await pause(Math.random() * 20)
  await killed(server.child)
  await writing
  kills.writing++
}

/** Lets the log grow until it is written back, and kills the server then. */
async function killDuringCheckpoint(server: ServerProcess): Promise<void> {
  const begun = checkpointBegins(folder)
  const writing = write(desk!, ledger, { length: longDescription, goesOn: () => isAlive(server.child) })
  await Promise.race([begun.reached, pause(longestMs)])
  await killed(server.child)
  await writing
  begun.end()
  if (begun.isReached()) kills.checkpoint++
}

/** Puts the database back before the newest migration, and kills a start while it copies or migrates it. */
async function killDuringMigration(server: ServerProcess): Promise<void> {
  await server.stop()
  await putBack(folder)
  const begun = migrationBegins(folder)
  const child = launchProduct(folder, settings)
  await Promise.race([begun.reached, pause(longestMs)])
  await pause(Math.random() * 60)
  await killed(child)
  begun.end()
  if (begun.isReached()) kills.migration++
}

async function pause(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, ms))
}
