/**
 * Restores into a data folder that cannot get another name, such as the volume of a container: its contents are replaced
 * in place. A note says how far that is, so that a start settles what was killed: until everything of before is aside it
 * goes back, from then on the rest follows.
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

/** What is in a data folder and none of its contents: the lock, which an otherwise empty one may contain, what a restore makes, and what a file system keeps. */
const isNoContent = (name: string): boolean =>
  [lockName, noteName, nextNote, 'lost+found'].includes(name) || unpacked.test(name)

/** The contents of a data folder. */
export const contentsOf = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter(name => !isNoContent(name)) : []

/** Whether a folder keeps its name: a file system is mounted there, or nothing can be made beside it. */
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

/** The file or folder beside which a data folder is unpacked, as `partOf` names it. */
export const unpackedBeside = (folder: string): string => (isFixed(folder) ? join(folder, unpackedName) : folder)

/** Whether a folder was unpacked inside of a data folder. */
export const isInside = (part: string, folder: string): boolean => part === partOf(join(folder, unpackedName))

/** How far a replacement is. */
interface Note {
  readonly part: string
  /** The folder that gets the contents of before; null if there were none. */
  readonly aside: string | null
  /** Whether all of them are there. */
  readonly isAside: boolean
}

/**
 * Replaces the contents of a data folder, whose lock is held meanwhile, with a folder that was unpacked inside of it.
 * @returns the folder with the contents of before, inside as well; null if there were none
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

/** Moves what was unpacked to its place, or the rest of it. */
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

/** The note of a folder; undefined where there is none. It is a file like any other: only our own names are followed. */
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
