/**
 * Imports sources of other tools, each several times, and prints a table: the contents of each source, counted
 * independently of its reader, how much of it was created, skipped and not read, how long the service took the first
 * time and at its fastest, and what a second import into the same board changes.
 *
 * Usage: node tools/sources-check.ts [--cards=N] [path …]
 * A path is a file or folder that `specboard import` takes. Without one, a made-up source of each format with N cards.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { type Client, ClientError, createClient } from '@specboard/client'
import { foreignFormats, sourceOf } from '../apps/cli/test/support/sources.ts'
import { zipEntries, zipOf } from '../apps/cli/test/support/zip-entries.ts'
import { startService } from './lab/harness/service.ts'
import { type SourceFiles, unitsOf } from './sources-check/units.ts'

interface NamedSource {
  readonly name: string
  readonly file: File
  readonly files: SourceFiles
}

const { values, positionals } = parseArgs({
  options: { cards: { type: 'string', default: '1000' } },
  allowPositionals: true,
})

const sources = await (positionals.length > 0 ? Promise.all(positionals.map(sourceAt)) : madeUp(Number(values.cards)))
const folder = mkdtempSync(join(tmpdir(), 'specboard-sources-'))
const server = await startService(folder)
try {
  const client = createClient({ url: server.url, key: server.key! })
  const columns = [
    'Source',
    'Format',
    'Units',
    'Read',
    'Created',
    'Skipped',
    'Not read',
    'Changed, notes',
    'ms, fastest',
    'Again',
  ]
  console.log(rowOfCells(columns))
  console.log(rowOfCells(columns.map(() => '---')))
  for (const source of sources) console.log(rowOfCells([source.name, ...(await rowOf(client, source))]))
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function madeUp(cards: number): Promise<NamedSource[]> {
  return Promise.all(
    foreignFormats.map(async format => {
      const file = await sourceOf(format, cards)
      return { name: `${cards} cards`, file, files: await filesIn(file) }
    }),
  )
}

/** A file, or a folder as the command line sends it: as a zip. */
async function sourceAt(path: string): Promise<NamedSource> {
  const name = basename(path)
  if (!statSync(path).isDirectory()) {
    const file = new File([readFileSync(path)], name)
    return { name, file, files: await filesIn(file) }
  }
  const paths = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const entries = paths.map(entry => {
    const at = join(entry.parentPath, entry.name)
    return [relative(path, at).replaceAll(sep, '/'), readFileSync(at)] as const
  })
  return { name, file: new File([await zipOf(entries)], `${name}.zip`), files: new Map(entries) }
}

async function filesIn(file: File): Promise<SourceFiles> {
  return file.name.endsWith('.zip') ? zipEntries(file) : new Map([[file.name, Buffer.from(await file.arrayBuffer())]])
}

/** The cells that follow the name of a source. */
async function rowOf(client: Client, { file, files }: NamedSource): Promise<string[]> {
  try {
    const report = await client.importBoard({ file })
    const again = await client.importBoard({ file, board_id: report.board_id! })
    const { format, sums, created, skipped_reasons, not_read_total, problems } = report
    const units = unitsOf[format]!
    const later = [await client.importBoard({ file }), await client.importBoard({ file })]
    const fastest = Math.min(report.duration_ms, ...later.map(({ duration_ms }) => duration_ms))
    const told = ['changed', 'note'].map(kind => problems.filter(({ severity }) => severity === kind).length)
    const second = [again.created, again.updated].map(counts => listOf(counts)).filter(text => text !== '')
    return [
      format,
      `${units.count(files)} ${units.label}`,
      String(sums.read),
      listOf(created),
      listOf(skipped_reasons),
      String(not_read_total),
      told.join(', '),
      `${report.duration_ms}, ${fastest}`,
      second.join('; ') || 'nothing',
    ]
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    return ['refused', '', '', '', '', '', '', '', error.message.slice(0, 300)]
  }
}

function listOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

function rowOfCells(cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
