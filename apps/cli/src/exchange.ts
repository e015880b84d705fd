/** `specboard export` and `specboard import` (exchange 3). */
import { createWriteStream, openAsBlob, renameSync, rmSync, writeFileSync } from 'node:fs'
import { access, constants, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { features, ImportFormat } from '@specboard/contract'
import yazl from 'yazl'
import type { z } from 'zod'
import { explain } from './explain.ts'
import { boardNamed } from './frame/board.ts'
import { Failure, unusableFile } from './frame/failure.ts'
import { followImport } from './frame/follow-import.ts'
import { printJson, sizeText } from './frame/output.ts'
import { phaseBars } from './frame/progress.ts'
import { send } from './frame/send.ts'
import { type KeyedTarget, keyed, type Target } from './frame/target.ts'
import { UsageError } from './frame/usage-error.ts'

const { export_board, import_board } = features.exchange

type Report = z.output<typeof import_board.response>

/** The flags of `specboard export`. */
export interface ExportFlags {
  readonly output?: string
  readonly attachments?: boolean
  readonly events?: boolean
  readonly json?: boolean
}

/** `specboard export`: a whole board as an archive, which gets its name once it is complete. */
export async function exportBoard(board: string | undefined, flags: ExportFlags, target: Target): Promise<number> {
  const service = keyed(target)
  const name = board ?? service.board
  if (name === undefined) throw new UsageError('Name a board: its id, key or name.')
  const { id: board_id } = await boardNamed(service, name)
  const query = { attachments: flags.attachments ?? true, events: flags.events ?? true }
  const answer = await send(service, export_board, { params: { board_id }, query, body: undefined })
  const filename = /filename="([A-Z0-9]+-[0-9]{8}\.specboard\.zip)"/.exec(
    answer.headers.get('content-disposition') ?? '',
  )?.[1]
  const file = resolve(flags.output ?? filename ?? `${board_id}.specboard.zip`)
  const part = `${file}.part`
  const bytes = await save(answer, part).catch(error => {
    throw unusableFile(file, 'written', error)
  })
  renameSync(part, file)
  if (flags.json) printJson({ file, size_bytes: bytes })
  else console.log(`${file}: ${sizeText(bytes)}`)
  return 0
}

/** Writes an answer to a file that is removed on failure; returns its size. */
async function save(answer: Response, file: string): Promise<number> {
  const bars = phaseBars({ export: 'export' })
  let bytes = 0
  const counter = new Transform({
    transform: (chunk: Buffer, _, callback) => {
      bytes += chunk.length
      bars.show('export', bytes, null)
      callback(null, chunk)
    },
  })
  try {
    await pipeline(Readable.fromWeb(answer.body!), counter, createWriteStream(file, { mode: 0o600 }))
    return bytes
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    bars.end()
  }
}

/** The flags of `specboard import`. */
export interface ImportFlags {
  readonly format?: string
  readonly dryRun?: boolean
  readonly board?: string
  readonly name?: string
  readonly keepIds?: boolean
  readonly mapping?: string
  readonly all?: boolean
  readonly inferredOrder?: boolean
  readonly strict?: boolean
  readonly json?: boolean
}

/**
 * `specboard import`: imports an archive, or another tool's file; prints the report, and writes problems to a file next
 * to the input. With `--strict` it fails if anything was not read.
 */
export async function importBoard(path: string, flags: ImportFlags, target: Target): Promise<number> {
  const service = keyed(target)
  const report = await imported(service, path, flags)
  const problemFile = report.problems.length === 0 ? null : writeProblems(path, report)
  if (flags.json) printJson({ ...report, problems_file: problemFile })
  else console.log(reportText(report, problemFile))
  return flags.strict && report.not_read_total > 0 ? 1 : 0
}

/** Sends a file, or a folder as a zip, to import_board. */
function imported(service: KeyedTarget, path: string, flags: ImportFlags): Promise<Report> {
  const { dryRun: dry_run, name, keepIds: keep_ids, mapping, all, inferredOrder: inferred_order } = flags
  const format = formatOf(flags.format)
  return withFile(path, async file => {
    const board_id = flags.board === undefined ? undefined : (await boardNamed(service, flags.board)).id
    const query = { format, dry_run, board_id, name, keep_ids, mapping, all, inferred_order }
    const bars = phaseBars({ reading: 'reading', writing: 'writing' })
    const follows = process.stderr.isTTY === true
    const end = follows
      ? await followImport(service, file.name, ({ phase, done, total }) => bars.show(phase, done, total))
      : () => {}
    try {
      const answer = await send(service, import_board, { params: {}, query, body: undefined }, { file })
      return import_board.response.parse(await answer.json())
    } finally {
      end()
      bars.end()
    }
  })
}

/** @throws UsageError for an unknown format */
function formatOf(text: string | undefined): z.output<typeof ImportFormat> | undefined {
  const { success, data } = ImportFormat.optional().safeParse(text)
  if (!success) throw new UsageError(`--format must be one of ${ImportFormat.options.join(', ')}, not "${text}".`)
  return data
}

/**
 * Calls back with a file; a folder is packed first, and the zip removed afterwards.
 * @throws Failure if it cannot be read
 */
async function withFile<Value>(path: string, use: (file: File) => Promise<Value>): Promise<Value> {
  if (!(await isFolder(path))) return use(new File([await openAsBlob(path)], fileNameOf(path)))
  const name = projectOf(resolve(path))
  const folder = await mkdtemp(join(tmpdir(), 'specboard-import-'))
  try {
    const zip = join(folder, `${name}.zip`)
    await pack(path, zip).catch(error => {
      const { code, path: at = path } = error as NodeJS.ErrnoException
      throw code === 'ENOSPC' ? unusableFile(zip, 'written', error) : unusableFile(at, 'read', error)
    })
    return await use(new File([await openAsBlob(zip)], `${name}.zip`))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The name of a folder; for one that begins with a dot, that of the project it is in (imports 2). */
function projectOf(folder: string): string {
  const name = basename(folder)
  return name.startsWith('.') && dirname(folder) !== folder ? projectOf(dirname(folder)) : name
}

/** The name of a file; for one in a folder that begins with a dot, that of its project with the file's extension. */
function fileNameOf(path: string): string {
  const folder = dirname(resolve(path))
  const isHidden = folder.split(sep).at(-1)?.startsWith('.') === true
  return isHidden ? `${projectOf(folder)}${extname(path)}` : basename(resolve(path))
}

async function isFolder(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK)
    return (await stat(path)).isDirectory()
  } catch (error) {
    throw unusableFile(path, 'read', error)
  }
}

/** Folders that are never part of a backlog. */
const skipped = /(?:^|[/\\])(?:\.git|node_modules)(?:[/\\]|$)/

/**
 * Packs the files of a folder.
 * @throws Failure for a symbolic link: an archive has none, and nothing is silently left out
 */
async function pack(folder: string, file: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (entry.isDirectory() || skipped.test(path)) continue
    if (!entry.isFile()) throw notAFile(join(folder, path), entry.isSymbolicLink())
    paths.push(path)
  }
  const zip = new yazl.ZipFile()
  const { promise: unreadable, reject } = Promise.withResolvers<never>()
  zip.on('error', reject)
  for (const path of paths.toSorted()) zip.addFile(join(folder, path), path.replaceAll('\\', '/'))
  zip.end()
  await Promise.race([pipeline(zip.outputStream, createWriteStream(file, { mode: 0o600 })), unreadable])
}

function notAFile(path: string, isLink: boolean): Failure {
  const message = isLink
    ? `${path} is a symbolic link, which an import does not follow. Replace it with its target, or remove it.`
    : `${path} is neither a file nor a folder. Remove it.`
  return new Failure('FILE_UNUSABLE', message)
}

/** Writes the problems next to the input, one JSON object a line; returns the file, or null if none can be written. */
function writeProblems(path: string, { problems }: Report): string | null {
  const file = `${resolve(path)}.problems.jsonl`
  try {
    writeFileSync(file, problems.map(problem => `${JSON.stringify(problem)}\n`).join(''))
    return file
  } catch (error) {
    console.error(`specboard: the problems could not be written to ${file}: ${explain(error)} --json prints them.`)
    return null
  }
}

const columns = ['read', 'created', 'updated', 'unchanged', 'skipped'] as const

/** A report as a table, with a row for each kind of record. */
function reportText(report: Report, problemFile: string | null): string {
  const kinds = Object.keys(report.read)
  const width = Math.max(4, ...kinds.map(kind => kind.length))
  const row = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(width)}${cells.map(cell => String(cell).padStart(11)).join('')}`
  const { sums } = report
  const boardText = report.board_id === null ? 'no board: a dry run' : `board ${report.key} (${report.board_id})`
  const problems =
    report.problems_total === 0
      ? 'no problems'
      : `${report.problems_total} problems${problemFile === null ? '' : `, the first of them in ${problemFile}`}`
  return [
    `${report.format}, ${boardText}, ${(report.duration_ms / 1_000).toFixed(1)} s`,
    row('kind', columns),
    ...kinds.map(kind =>
      row(
        kind,
        columns.map(column => report[column][kind] ?? 0),
      ),
    ),
    row('all', [sums.read, sums.created, sums.changed, sums.unchanged, sums.skipped]),
    ...listed('skipped', Object.entries(report.skipped_reasons)),
    ...notReadText(report),
    ...listed(
      'inferred',
      report.inferred.map(({ what, count }) => [what, count]),
    ),
    ...listed('words', report.mapped_words.map(wordText)),
    problems,
  ].join('\n')
}

/** The maximum lines in each part of the report. */
const maxLines = 20

function listed(name: string, counts: readonly (readonly [text: string, count: number])[]): string[] {
  const lines = counts.slice(0, maxLines).map(([text, count]) => `  ${text} (${count})`)
  const more = counts.length - lines.length
  return [...(lines.length > 0 ? [`${name}:`] : []), ...lines, ...(more > 0 ? [`  and ${more} more`] : [])]
}

function notReadText({ not_read, not_read_total }: Report): string[] {
  const lines = not_read.slice(0, maxLines).map(({ entry, line, reason }) => {
    const place = [entry, line === null ? null : `line ${line}`].filter(part => part !== null).join(', ')
    return `  ${place === '' ? '' : `${place}: `}${reason}`
  })
  const more = not_read_total - lines.length
  return [`not read: ${not_read_total}`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])]
}

const wordText = ({ field, word, value, count, by }: Report['mapped_words'][number]) =>
  [`${field} ${word}: ${value}${by === 'default' ? ', not known' : ''}`, count] as const
