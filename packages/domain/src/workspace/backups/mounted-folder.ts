/**
 * Restores into a data folder that cannot be renamed, such as the volume of a container: its contents are replaced in
 * place. A note records how far the replacement has got, so that the next start settles one that was killed: until all
 * previous contents are aside, they are moved back; from then on, the rest of the restored contents is moved into
 * place.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lockFolder, lockName, syncFolder } from '@specboard/storage'
import { partOf, timeInName } from './files.ts'

const noteName = 'restore.note'

/** The note while it is written. */
const nextNote = `${noteName}.part`

const unpackedName = 'restored'

const unpacked = /^restored\.part-\d+$/

const movedAside = /^before-\d{8}T\d{9}Z$/

/**
 * Whether something in a data folder is not part of its contents: the lock, which an otherwise empty folder may
 * contain, what a restore makes, and what a file system keeps.
 */
const isNoContent = (name: string): boolean =>
  [lockName, noteName, nextNote, 'lost+found'].includes(name) || unpacked.test(name)

/** The contents of a data folder. */
export const contentsOf = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter(name => !isNoContent(name)) : []

/** Whether a folder cannot be renamed: a file system is mounted there, or nothing can be created next to it. */
function isFixed(folder: string): boolean {
  if (!existsSync(folder)) return false
  const parent = dirname(folder)
  if (statSync(folder).dev !== statSync(parent).dev) return true
  try {
    accessSync(parent, constants.W_OK)
    return false
  } catch {
    return true
  }
}

/** The file or folder next to which a data folder is unpacked, under the name that `partOf` gives. */
export const unpackedNextTo = (folder: string): string => (isFixed(folder) ? join(folder, unpackedName) : folder)

/** Whether a folder was unpacked inside of a data folder. */
export const isInside = (part: string, folder: string): boolean => part === partOf(join(folder, unpackedName))

/** How far a replacement has got. */
interface Note {
  readonly part: string
  /** The folder for the previous contents; null if there were none. */
  readonly aside: string | null
  /** Whether all of them have been moved there. */
  readonly isAside: boolean
}

/**
 * Replaces the contents of a data folder, whose lock is held meanwhile, with a folder that was unpacked inside of it.
 * @returns the folder with the previous contents, which is inside as well; null if there were none
 */
export function replaceContents(part: string, folder: string, at: string): string | null {
  const before = contentsOf(folder)
  const aside = before.length === 0 ? null : `before-${timeInName(at)}`
  const note = { part, aside, isAside: false }
  if (aside !== null) {
    writeNote(folder, note)
    mkdirSync(join(folder, aside), { mode: 0o700 })
    moveAll(before, folder, join(folder, aside))
  }
  writeNote(folder, { ...note, isAside: true })
  place(part, folder)
  return aside === null ? null : join(folder, aside)
}

/**
 * Settles a replacement that was killed.
 * @throws StorageError FOLDER_LOCKED while it is running
 */
export function settleContents(folder: string): void {
  const note = readNote(folder)
  if (note === undefined) return
  const unlock = lockFolder(folder)
  try {
    const part = join(folder, note.part)
    if (note.isAside) {
      place(part, folder)
      return
    }
    const aside = join(folder, note.aside!)
    if (existsSync(aside)) {
      moveAll(readdirSync(aside), aside, folder)
      rmdirSync(aside)
    }
    rmSync(part, { recursive: true, force: true })
    removeNote(folder)
  } finally {
    unlock()
  }
}

/** Moves what was unpacked, or the rest of it, into place. */
function place(part: string, folder: string): void {
  if (existsSync(part)) {
    moveAll(
      readdirSync(part).filter(name => name !== lockName),
      part,
      folder,
    )
    rmSync(part, { recursive: true })
  }
  removeNote(folder)
}

function moveAll(names: readonly string[], from: string, to: string): void {
  for (const name of names) renameSync(join(from, name), join(to, name))
  syncFolder(from)
  syncFolder(to)
}

function writeNote(folder: string, { part, aside, isAside }: Note): void {
  const next = join(folder, nextNote)
  writeFileSync(next, JSON.stringify({ part: basename(part), aside, isAside }), { mode: 0o600, flush: true })
  renameSync(next, join(folder, noteName))
  syncFolder(folder)
}

function removeNote(folder: string): void {
  for (const name of [noteName, nextNote]) rmSync(join(folder, name), { force: true })
  syncFolder(folder)
}

/**
 * The note of a folder; undefined if there is none. The file may contain anything, so only names that a restore writes
 * are followed.
 */
function readNote(folder: string): Note | undefined {
  const file = join(folder, noteName)
  if (!existsSync(file)) return undefined
  try {
    const { part, aside, isAside } = JSON.parse(readFileSync(file, 'utf8'))
    const isOurs = unpacked.test(part) && (aside === null ? isAside === true : movedAside.test(aside))
    return isOurs ? { part, aside, isAside: isAside === true } : undefined
  } catch {
    return undefined
  }
}
