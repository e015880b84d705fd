/**
 * Lets the disk fail under a running server, by means of strace: writes, syncs and opens of the files of its data
 * folder answer EIO while clients write over HTTP and MCP. After each round the server is started without a fault, and
 * must hold all that was acknowledged, and nothing by halves.
 *
 * With `--power` it traces what a server writes and syncs, and cuts its data folder at drawn moments: each copy holds
 * what was synced by then and a drawn part of the rest, opens, is undamaged, holds all that was acknowledged by then,
 * and tells of no loss.
 *
 * Exits 1 when any of that fails; says so and exits 0 where strace is absent. The last line is a row of the table in
 * `docs/reliability.md`.
 *
 * Usage: pnpm faults [rounds, 60 unless said] | pnpm faults --power [copies, 200 unless said]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepFilesPrivate } from '@specboard/storage'
import { tryDiskErrors } from './faults/disk-errors.ts'
import { hasStrace } from './faults/inject.ts'
import { tryPowerCuts } from './faults/power-cuts.ts'
import { tableRow } from './table-row.ts'

const { values, positionals } = parseArgs({ options: { power: { type: 'boolean' } }, allowPositionals: true })
const [given] = positionals

if (!hasStrace()) {
  console.log('strace is not installed: no faults were tried')
  process.exit(0)
}
keepFilesPrivate()
const root = mkdtempSync(join(tmpdir(), 'specboard-faults-'))
try {
  process.exitCode = values.power ? await powerCuts(Number(given ?? 200)) : await diskErrors(Number(given ?? 60))
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** Tries I/O errors and prints what became of them; returns the exit code. */
async function diskErrors(rounds: number): Promise<number> {
  const { trial, outcomes } = await tryDiskErrors(root, rounds)
  row('EIO on', 'rounds', 'struck', 'acknowledged', 'refused', 'not started')
  for (const { kind, rounds, struck, acknowledged, refused, notStarted } of outcomes)
    row(kind.name, rounds, struck, acknowledged, refused, notStarted)
  const struck = outcomes.reduce((sum, outcome) => sum + outcome.struck, 0)
  const figures = [
    `${struck} struck, ${trial.ledger.acknowledged} acknowledged, ${trial.ledger.refused} refused`,
    ...trial.figures,
  ]
  for (const line of figures) console.log(line)
  console.log(tableRow(`pnpm faults ${rounds}`, String(rounds), figures.join('; ')))
  return trial.failed || struck === 0 ? 1 : 0
}

/** Cuts the power and prints what the copies lack; returns the exit code. */
async function powerCuts(copies: number): Promise<number> {
  const { figures, failed } = await tryPowerCuts(root, copies)
  for (const line of figures) console.log(line)
  console.log(tableRow(`pnpm faults --power ${copies}`, String(copies), figures.join('; ')))
  return failed ? 1 : 0
}

function row(name: string, ...cells: readonly (string | number)[]): void {
  console.log(name.padEnd(32) + cells.map(cell => String(cell).padStart(14)).join(''))
}
