/** Restores a whole service from a backup (exchange 3). */
import { createWriteStream, existsSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { databaseName, faultOfSnapshot, lockFolder, lockName, makeFolder, syncFolder } from '@specboard/storage'
import { type PathPart, pathPart, pathUnder, UnsafePath } from '@specboard/storage/safe-path'
import { partsOfPath } from '../../delivery/attachments/files/attachment-path.ts'
import { type AttachmentFiles, PresentFile } from '../../delivery/attachments/files/files.ts'
import { openFiles } from '../../delivery/attachments/files/open-files.ts'
import { hashOf } from '../../delivery/attachments/removal.ts'
import { secretKeyName } from '../../kernel/secret-key.ts'
import { migrations } from '../../schema/migrations/all.ts'
import type { OnProgress } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { type OpenBackup, openBackup } from './container.ts'
import { partOf, removeUnfinished, timeInName } from './files.ts'
import type { BackupEntry } from './manifest.ts'
import { contentsOf, isInside, replaceContents, settleContents, unpackedNextTo } from './mounted-folder.ts'

/** What to restore, and where to. */
export interface RestoreOptions {
  readonly file: string
  /** The data folder. */
  readonly folder: string
  /** The address of the S3 store that the attachments are restored to; by default they go into the folder. */
  readonly attachmentsUrl?: string | undefined
  /** Whether a non-empty folder is moved aside. */
  readonly force: boolean
  readonly at: string
  readonly onProgress?: OnProgress<'files' | 'verifying'>
}

/** A service that was restored. */
export interface RestoredService {
  readonly folder: string
  readonly created_at: string
  readonly service_version: string
  readonly files: number
  /** Where the previous folder was moved; null when it was empty. */
  readonly moved_to: string | null
  readonly missing: readonly string[]
}

/**
 * Restores a service into a data folder. Everything is unpacked and verified next to it first, or inside of it where it
 * cannot get another name; only then are the folders renamed.
 * @throws BackupError for a file that is not a complete backup, a folder that is not empty; StorageError FOLDER_LOCKED,
 *   DATABASE_NEWER; the system's errors
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredService> {
  const folder = resolve(options.folder)
  settleRestore(folder)
  refuseFilled(folder, options.force)
  lockFolderIfThere(folder)()
  const beside = unpackedNextTo(folder)
  removeUnfinished(beside)
  const part = partOf(beside)
  try {
    const { created_at, service_version, entries, missing } = await unpack(options, part)
    const moved_to = putInPlace(part, folder, options)
    return { folder, created_at, service_version, files: entries.length, moved_to, missing }
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}

function refuseFilled(folder: string, force: boolean): void {
  if (!force && contentsOf(folder).length > 0)
    throw new BackupError(
      `${folder} is not empty. Name another folder with --data-dir, or move this one aside with --force.`,
    )
}

/** @throws StorageError FOLDER_LOCKED while a service uses the folder */
function lockFolderIfThere(folder: string): () => void {
  return existsSync(folder) ? lockFolder(folder) : () => {}
}

/** Unpacks a backup into a new folder, syncs and verifies it. */
async function unpack({ file, attachmentsUrl: url, onProgress = () => {} }: RestoreOptions, into: string) {
  const files = url === undefined ? undefined : await openFiles({ folder: into, url })
  const backup = await openBackup(file)
  try {
    makeFolder(into)
    await unpackEntries(backup, into, files, done => onProgress('files', done, backup.manifest.entries.length))
    onProgress('verifying', 0, 1)
    const fault = await faultOfSnapshot(join(into, databaseName), migrations)
    if (fault !== undefined)
      throw new BackupError(`The database in ${file} is damaged: ${fault}. Choose another backup.`)
    onProgress('verifying', 1, 1)
    return backup.manifest
  } finally {
    backup.close()
  }
}

async function unpackEntries(
  backup: OpenBackup,
  into: string,
  files: AttachmentFiles | undefined,
  onEntry: (done: number) => void,
): Promise<void> {
  const folders = new Set([into])
  let done = 0
  await backup.each(async (entry, bytes) => {
    const parts = partsOf(entry)
    if (files !== undefined && parts.length > 1) {
      await bringBack(files, entry, bytes)
      onEntry(++done)
      return
    }
    const path = pathUnder(into, ...parts)
    makeFolder(dirname(path))
    for (let folder = dirname(path); folder !== into; folder = dirname(folder)) folders.add(folder)
    await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    await syncFile(path)
    onEntry(++done)
  })
  for (const folder of folders) syncFolder(folder)
}

/**
 * The parts of the path that an entry of a backup goes to.
 * @throws BackupError for a name that does not occur in backups (walls 1)
 */
function partsOf({ name }: BackupEntry): readonly PathPart[] {
  if (name === databaseName || name === secretKeyName) return [pathPart.name(name)]
  try {
    return partsOfPath(name)
  } catch (error) {
    if (!(error instanceof UnsafePath)) throw error
    throw new BackupError(
      `The backup was altered: ${JSON.stringify(name)} is not a file of a backup. Choose another one.`,
    )
  }
}

/**
 * Stores an attachment, unless its file exists: a service that uses the same store may be reading it.
 * @throws BackupError if a different file exists
 */
async function bringBack(files: AttachmentFiles, { name, size, sha256 }: BackupEntry, bytes: AsyncIterable<Buffer>) {
  if ((await hashOf(files, name)) === sha256) {
    for await (const _ of bytes);
    return
  }
  await files.put(name, bytes, size).catch(error => {
    throw error instanceof PresentFile ? new BackupError(`${files.name}: ${error.message}`) : error
  })
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The note of a restore that renames folders; it is next to the data folder. */
const noteOf = (folder: string): string => `${folder}.restoring`

/**
 * Replaces the present folder, whose lock is held meanwhile, with an unpacked one; returns where the old one went. A
 * kill between the two renames leaves a note, from which `settleRestore` restores the old state.
 */
export function putInPlace(
  part: string,
  folder: string,
  { force, at }: Pick<RestoreOptions, 'force' | 'at'>,
): string | null {
  refuseFilled(folder, force)
  const unlock = lockFolderIfThere(folder)
  const filled = contentsOf(folder).length > 0
  const parent = dirname(folder)
  try {
    if (isInside(part, folder)) return replaceContents(part, folder, at)
    if (!filled) {
      if (existsSync(folder)) {
        rmSync(join(folder, lockName), { force: true })
        rmdirSync(folder)
      }
      renameSync(part, folder)
      syncFolder(parent)
      return null
    }
    const aside = `${folder}.before-${timeInName(at)}`
    const note = noteOf(folder)
    writeFileSync(note, basename(aside), { mode: 0o600, flush: true })
    syncFolder(parent)
    renameSync(folder, aside)
    try {
      renameSync(part, folder)
    } catch (error) {
      renameSync(aside, folder)
      throw error
    } finally {
      rmSync(note)
      syncFolder(parent)
    }
    return aside
  } finally {
    unlock()
  }
}

/**
 * Restores the old state if a restore was killed between its two renames. Called before anything opens or makes a data
 * folder.
 * @throws StorageError FOLDER_LOCKED while a restore is running
 */
export function settleRestore(folder: string): void {
  const path = resolve(folder)
  settleContents(path)
  const note = noteOf(path)
  const aside = readNote(note)
  if (aside === undefined) return
  // The note may contain anything: only a name that a restore writes is followed (walls 1).
  if (!aside.startsWith(`${basename(path)}.before-`) || basename(aside) !== aside) return
  const original = join(dirname(path), aside)
  const unlock = lockFolder(existsSync(path) ? path : original)
  try {
    if (!existsSync(path)) renameSync(original, path)
    rmSync(note)
    syncFolder(dirname(path))
  } finally {
    unlock()
  }
}

/** The name of the folder that a restore moved aside; undefined when none was interrupted. */
function readNote(note: string): string | undefined {
  return existsSync(note) ? readFileSync(note, 'utf8') : undefined
}
