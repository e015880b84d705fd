/**
 * Measures what leaves and comes in whole (exchange 4): a large beads file, twice; an import into a board that others use
 * meanwhile; the archive of a large board with attachments, out and in; backups of a service that is written to. Needs a
 * folder for temporary files with room for five times the attachments.
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleBacklog } from './backlog.ts'
import { optionOf } from './bench/options.ts'
import { reportArchive } from './bench-exchange/archive.ts'
import { reportBackup } from './bench-exchange/backup.ts'
import { reportBeads } from './bench-exchange/beads.ts'
import { reportIntoBoard } from './bench-exchange/into-board.ts'
import { databasesOf } from './databases.ts'

/** What is measured, and how much of it. */
export interface ExchangeOptions {
  readonly parts: readonly string[]
  /** The beads file whose records are repeated, and the lines wanted. */
  readonly file: string
  readonly lines: number
  /** Rows that come into a board that stands. */
  readonly rows: number
  /** Attachments of the large board, MiB. */
  readonly mib: number
}

const parts = ['beads', 'into-board', 'archive', 'backup']

/** Reads `--parts=beads,into-board,archive,backup`, `--file=issues.jsonl`, `--lines=5722`, `--rows=3000` and `--mib=1024`. */
export const exchangeOptions = (args: readonly string[]): ExchangeOptions => ({
  parts: optionOf(args, 'parts')?.split(',') ?? parts,
  file: optionOf(args, 'file') ?? sampleBacklog,
  lines: Number(optionOf(args, 'lines') ?? 5_722),
  rows: Number(optionOf(args, 'rows') ?? 3_000),
  mib: Number(optionOf(args, 'mib') ?? 1_024),
})

/** How often the attachments lie on the disk at once: two services, the archive, its upload, and room to spare. */
const copies = 5

/**
 * Measures the parts asked for and prints the figures.
 * @param args of the command: with `--engine=postgres` beads and into-board are measured on PostgreSQL
 */
export async function benchExchange(
  { parts, file, lines, rows, mib }: ExchangeOptions,
  args: readonly string[],
): Promise<void> {
  await using databases = await databasesOf(args)
  if (databases.engine === 'postgres' && parts.some(part => part === 'archive' || part === 'backup'))
    throw new Error('On PostgreSQL name the parts that are measured there: --parts=beads,into-board')
  const folder = mkdtempSync(join(tmpdir(), 'specboard-exchange-'))
  try {
    if (parts.includes('beads')) await reportBeads(join(folder, 'beads'), databases, file, lines)
    if (parts.includes('into-board')) await reportIntoBoard(join(folder, 'into-board'), databases, rows)
    if (!parts.includes('archive') && !parts.includes('backup')) return
    refuseWithoutRoom(folder, mib)
    const large = join(folder, 'large')
    const key = await reportArchive(large, mib, parts.includes('archive'))
    if (parts.includes('backup')) await reportBackup(large, key)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function refuseWithoutRoom(folder: string, mib: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  if (free < mib * copies)
    throw new Error(
      `${folder} has ${free} MiB free; attachments of ${mib} MiB need ${mib * copies}. Take fewer: --mib=…`,
    )
}
