/** Saving a whole service into one file, while it runs or is stopped (exchange 3). */
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import {
  backupPhrase,
  databaseName,
  errorMessage,
  faultOfSnapshot,
  makeFolder,
  readSnapshot,
  StorageError,
  snapshotWithoutLock,
  syncFolder,
  writeLastRun,
} from '@specboard/storage'
import { attachmentPath } from '../../delivery/attachments/files/attachment-path.ts'
import { type AttachmentFiles, isAbsent } from '../../delivery/attachments/files/files.ts'
import { openFiles } from '../../delivery/attachments/files/open-files.ts'
import { secretKeyName } from '../../kernel/secret-key.ts'
import { migrations } from '../../schema/migrations/all.ts'
import type { AttachmentsTable, Schema } from '../../schema/tables.ts'
import { BackupError } from './backup-error.ts'
import { BackupWriter, type EntrySource, openBackup } from './container.ts'
import { backupName, partOf, removeOlder, removeUnfinished } from './files.ts'

/** What a backup is doing. */
export type BackupPhase = 'database' | 'attachments' | 'verifying'

/** The progress of a backup or a restore: pages of the database, files afterwards. */
export type OnProgress<Phase> = (phase: Phase, done: number, total: number) => void

/** What to save, and where. */
export interface BackupOptions {
  /** The data folder. */
  readonly folder: string
  /** The address of the S3 store for attachments; by default they are in the folder. */
  readonly attachmentsUrl?: string | undefined
  /** The file; or a folder, in which it gets a name with the time. */
  readonly target: string
  /** How many backups are kept in the target's folder; undefined for all. */
  readonly keep?: number | undefined
  readonly version: string
  readonly at: string
  /** Whether the running service makes it on its schedule. */
  readonly isScheduled?: boolean | undefined
  readonly onProgress?: OnProgress<BackupPhase>
}

/** A backup that was made. */
export interface MadeBackup {
  readonly file: string
  readonly size_bytes: number
  readonly created_at: string
  /** The files in it, the database included. */
  readonly files: number
  /** Attachments whose file was missing from the data folder. */
  readonly missing: readonly string[]
  /** Older backups that were removed. */
  readonly removed: readonly string[]
}

/** How often a backup starts over because attachments were deleted while they were copied. */
const tries = 3

/**
 * Saves the service of a data folder: its database as of one instant, the attachments and the key of its secrets. The
 * file gets its name only once it was read back and verified; the outcome is recorded in the data folder. An existing
 * target and a folder without a database are usage errors, which are not recorded as failed backups.
 * @throws BackupError for an existing target, a damaged database; StorageError NO_DATABASE; the system's errors
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { folder, at, isScheduled } = options
  const file = targetFile(options)
  if (existsSync(file)) throw new BackupError(`${file} exists already. Choose another name with -o.`)
  try {
    const backup = await save(file, options)
    writeLastRun(folder, { last_at: at, outcome: 'ok', file: backup.file }, isScheduled)
    return backup
  } catch (error) {
    const reason = explained(error, options, file)
    if (!(error instanceof StorageError && error.code === 'NO_DATABASE')) noteFailure(options, reason)
    throw reason
  }
}

/** A failure with what to do about it, where that is known. */
function explained(error: unknown, { folder }: BackupOptions, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'SQLITE_FULL')
    return new BackupError(
      `The disk of ${dirname(file)} is full. Nothing was saved; make room there, or name another folder.`,
    )
  return code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' ? damaged(folder, (error as Error).message) : error
}

const damaged = (folder: string, fault: string): BackupError =>
  new BackupError(
    `The database is damaged: ${fault}. Nothing was saved; restore a backup (newest: ${backupPhrase(folder)}).`,
  )

/**
 * Records why a backup failed, if the data folder can still be written to; if it cannot, only the failure itself is
 * reported.
 */
function noteFailure({ folder, at, isScheduled }: BackupOptions, error: unknown): void {
  const outcome = errorMessage(error)
  try {
    if (existsSync(folder)) writeLastRun(folder, { last_at: at, outcome, file: null }, isScheduled)
  } catch {}
}

async function save(file: string, options: BackupOptions): Promise<MadeBackup> {
  const { keep, at } = options
  const target = dirname(file)
  makeFolder(target)
  removeUnfinished(file)
  const part = partOf(file)
  const snapshot = `${part}.db`
  try {
    const missing = await packed(options, part, snapshot)
    options.onProgress?.('verifying', 0, 1)
    const files = await verified(part)
    options.onProgress?.('verifying', 1, 1)
    giveName(part, file)
    syncFolder(target)
    const removed = keep === undefined ? [] : removeOlder(target, keep)
    return { file, size_bytes: statSync(file).size, created_at: at, files, missing, removed }
  } finally {
    for (const leftover of [part, snapshot]) rmSync(leftover, { force: true })
  }
}

/**
 * The file of a backup. A target that does not exist is a folder if older backups are to be removed, unless it names a
 * zip.
 */
function targetFile({ target, keep, at }: BackupOptions): string {
  const path = resolve(target)
  const found = statSync(path, { throwIfNoEntry: false })
  const isNew = found === undefined && keep !== undefined && extname(path).toLowerCase() !== '.zip'
  const isFolder = isNew || found?.isDirectory() === true || /[/\\]$/.test(target)
  return isFolder ? join(path, backupName(at)) : path
}

/** Gives a complete file its name, unless something has taken it meanwhile. */
function giveName(part: string, file: string): void {
  try {
    linkSync(part, file)
  } catch (error) {
    // A file system without hard links.
    if (existsSync(file)) throw error
    renameSync(part, file)
  }
}

/**
 * Packs everything; returns the attachments without a file. Files deleted after the snapshot are not referenced by the
 * next one; those that it still references are lost.
 */
async function packed(options: BackupOptions, part: string, snapshot: string): Promise<string[]> {
  const files = await openFiles({ folder: options.folder, url: options.attachmentsUrl })
  let before: readonly string[] = []
  for (let remaining = tries; ; remaining--) {
    await takeSnapshot(options, snapshot)
    const writer = new BackupWriter(part)
    try {
      const missing = await pack(options, files, writer, snapshot)
      if (remaining === 1 || missing.every(id => before.includes(id))) {
        await writer.end({ ...described(options), missing })
        return missing
      }
      before = missing
    } finally {
      await writer.close()
    }
    for (const file of [part, snapshot]) rmSync(file)
  }
}

const described = ({ at, version }: BackupOptions) =>
  ({ format: 'specboard.backup', version: 1, created_at: at, service_version: version }) as const

/** @throws BackupError when the database is damaged */
async function takeSnapshot({ folder, onProgress = () => {} }: BackupOptions, snapshot: string): Promise<void> {
  await snapshotWithoutLock(folder, snapshot, ({ done, total }) => onProgress('database', done, total))
  const fault = await faultOfSnapshot(snapshot, migrations)
  if (fault !== undefined) throw damaged(folder, fault)
}

async function pack(
  { folder, onProgress = () => {} }: BackupOptions,
  files: AttachmentFiles,
  writer: BackupWriter,
  snapshot: string,
) {
  const rows = await readSnapshot<Schema, Pick<AttachmentsTable, 'id' | 'board_id' | 'filename' | 'created_at'>[]>(
    snapshot,
    db => db.selectFrom('attachments').select(['id', 'board_id', 'filename', 'created_at']).orderBy('id').execute(),
  )
  await writer.addFile(databaseName, snapshot, { compress: true })
  if (existsSync(join(folder, secretKeyName)))
    await writer.addFile(secretKeyName, join(folder, secretKeyName), { compress: false })
  const missing: string[] = []
  for (const [index, { id, board_id, filename, created_at }] of rows.entries()) {
    const path = attachmentPath(board_id, filename)
    const file = await opened(files, path)
    if (file === undefined) missing.push(id)
    else await writer.add(path, { ...file, mtime: new Date(created_at) }, { compress: false })
    onProgress('attachments', index + 1, rows.length)
  }
  return missing
}

/** A file that can be read to its end even if it is deleted meanwhile; undefined if it does not exist. */
async function opened(files: AttachmentFiles, path: string): Promise<Omit<EntrySource, 'mtime'> | undefined> {
  const size = await files.size(path)
  if (size === undefined) return undefined
  const bytes = files.read(path)
  try {
    const first = await bytes.next()
    return { size, bytes: continued(first, bytes) }
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

async function* continued<Piece>(first: IteratorResult<Piece>, others: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  if (first.done) return
  yield first.value
  yield* others
}

/** Reads a backup back and compares it with its hashes; returns the number of its files. */
async function verified(file: string): Promise<number> {
  const backup = await openBackup(file)
  try {
    await backup.each(async (_, bytes) => {
      for await (const _ of bytes);
    })
    return backup.manifest.entries.length
  } finally {
    backup.close()
  }
}
