/**
 * Kills the server with SIGKILL while clients write over HTTP and MCP, starts it again, and compares what it holds with
 * what the clients were told. One round in twenty kills it during a migration, one during a checkpoint. Exits 1 when
 * an acknowledged write is lost, one is half there (a row without its event or file, an event without its row), one
 * repeated under its Idempotency-Key is answered otherwise or there twice, a start takes more than 2 s or reports a loss,
 * or the database is damaged. The last line is a row of the table in `docs/reliability.md`.
 *
 * With `--backfill` it kills the server while a backfill of the knowledge graph runs instead: the result must equal
 * that of an undisturbed rebuild from the same records. With `--webhooks` it kills the server while it sends 1,000
 * events to a webhook: each must come at least once, in order, and none may be skipped.
 *
 * With `--import` it kills the server while it imports an archive: the board must be there whole or not at all. With
 * `--backup` it kills backups of a service that is written to, and restores: no half backup may have its name, and a data
 * folder must hold the old state or the new one.
 *
 * With `--nodes` it kills one of two nodes on one PostgreSQL while clients write through both: nothing acknowledged may be
 * lost, and the streams of the other node may have no gap.
 *
 * Usage: pnpm crash [--backfill | --webhooks | --import | --backup | --nodes] [rounds, 20 unless said]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepFilesPrivate } from '@specboard/storage'
import { percentile } from './bench/percentiles.ts'
import { killed, launchProduct, type ServerProcess } from './bench/processes.ts'
import { checkpointBegins, migrationBegins } from './crash/moments.ts'
import { hasEarlier, putBack } from './crash/older-database.ts'
import { Trial } from './durability/trial.ts'
import { progress } from './progress.ts'
import { tableRow } from './table-row.ts'

const { values, positionals } = parseArgs({
  options: {
    backfill: { type: 'boolean' },
    webhooks: { type: 'boolean' },
    import: { type: 'boolean' },
    backup: { type: 'boolean' },
    nodes: { type: 'boolean' },
  },
  allowPositionals: true,
})
const rounds = Number(positionals[0] ?? 20)

if (values.backfill) {
  const { crashBackfill } = await import('./crash-backfill.ts')
  process.exit(await crashBackfill(rounds))
}

if (values.webhooks) {
  const { crashWebhooks } = await import('./crash-webhooks.ts')
  process.exit(await crashWebhooks(rounds))
}

if (values.import) {
  const { crashImport } = await import('./crash-import.ts')
  process.exit(await crashImport(rounds))
}

if (values.backup) {
  const { crashBackup } = await import('./crash-backup.ts')
  process.exit(await crashBackup(rounds))
}

if (values.nodes) {
  const { crashNodes } = await import('./crash-nodes.ts')
  process.exit(await crashNodes(rounds))
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
const root = mkdtempSync(join(tmpdir(), 'specboard-crash-'))
const trial = new Trial(join(root, 'data'))
const kills = { writing: 0, migration: 0, checkpoint: 0 }
const killIn = { writing: killDuringWrites, migration: killDuringMigration, checkpoint: killDuringCheckpoint }

const bar = progress('crash test', rounds, () => ({ acknowledged: trial.ledger.acknowledged, lost: trial.counts.lost }))
try {
  for (let round = 0; round < rounds; round++) {
    await killIn[momentOf(round)](await trial.start())
    bar.step()
  }
  await trial.end()
  bar.end()
} finally {
  rmSync(root, { recursive: true, force: true })
}
const worst = Math.max(...trial.starts)
const migrating = trial.starts.filter((_, index) => index > 0 && momentOf(index - 1) === 'migration')
const figures = [
  `${trial.ledger.acknowledged} acknowledged`,
  `killed while writing ${kills.writing}, in a migration ${kills.migration}, in a checkpoint ${kills.checkpoint}`,
  ...trial.figures,
  `ready after ${Math.round(percentile(trial.starts, 0.95))} ms (p95), ${Math.round(worst)} ms at worst`,
  `${Math.round(Math.max(0, ...migrating))} ms at worst with the migration done anew`,
]
for (const line of figures) console.log(line)
console.log(tableRow(`pnpm crash ${rounds}`, String(rounds), figures.join('; ')))
process.exitCode = trial.failed || worst > slowestStartMs ? 1 : 0

/** When the server of a round is killed. */
function momentOf(round: number): keyof typeof kills {
  if (round % 20 === 9) return 'migration'
  return round % 20 === 19 ? 'checkpoint' : 'writing'
}

async function killDuringWrites(server: ServerProcess): Promise<void> {
  const enough = trial.ledger.acknowledged + writesInRound * (0.5 + Math.random())
  const writing = trial.write(server, Number.POSITIVE_INFINITY)
  while (trial.ledger.acknowledged < enough) await pause(5)
  await pause(Math.random() * 20)
  await killed(server.child)
  await writing
  kills.writing++
}

/** Lets the log grow until it is written back, and kills the server then. */
async function killDuringCheckpoint(server: ServerProcess): Promise<void> {
  const begun = checkpointBegins(trial.folder)
  const writing = trial.write(server, Number.POSITIVE_INFINITY, { length: longDescription })
  await Promise.race([begun.reached, pause(longestMs)])
  await killed(server.child)
  await writing
  begun.end()
  if (begun.isReached()) kills.checkpoint++
}

/** Puts the database back before the newest migration, if it was not the first, and kills a start while it copies or migrates it. */
async function killDuringMigration(server: ServerProcess): Promise<void> {
  if (!hasEarlier) return killDuringWrites(server)
  await server.stop()
  await putBack(trial.folder)
  const begun = migrationBegins(trial.folder)
  const child = launchProduct(trial.folder, Trial.settings)
  await Promise.race([begun.reached, pause(longestMs)])
  await pause(Math.random() * 60)
  await killed(child)
  begun.end()
  if (begun.isReached()) kills.migration++
}

async function pause(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, ms))
}
