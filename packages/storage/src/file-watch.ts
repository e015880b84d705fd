import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { indexFile, logFile } from './data-folder.ts'
import { type LogIndex, logIndexBytes, readLogIndex } from './log-index.ts'
import { frameHeaderBytes, logHeaderBytes } from './log-reader.ts'

/** The page that references all others; it changes with nearly every write. */
const firstPageBytes = 4_096

/** The first bytes of every database file. */
const beginning = 'SQLite format 3\0'

/** One of the files, by its name and by what was opened under it. */
interface WatchedFile {
  readonly file: string
  readonly descriptor: number
}

/** What happened to one of the files. */
export interface FileLoss {
  readonly file: 'database' | 'log' | 'index'
  /** Whether its name no longer leads to it; otherwise its bytes were changed. */
  readonly isGone: boolean
  /** In words, such as `specboard.db was removed`. */
  readonly cause: string
}

/** The state at the last check. */
interface LastState {
  readonly size: bigint
  readonly changedAt: bigint
  readonly firstPage: Buffer
  readonly index: LogIndex | undefined
}

/**
 * Detects when the files of an open database are no longer those that were opened: removed, replaced, shortened or
 * overwritten by anybody but SQLite. SQLite itself does not notice: it keeps writing to a file that no name leads to.
 *
 * It holds a descriptor of each file. Closing one drops the locks of all connections of this process, so a watch starts
 * after they were opened and ends after they were closed.
 */
export class FileWatch {
  readonly #database: WatchedFile
  readonly #log: WatchedFile
  readonly #index: WatchedFile
  readonly #indexBytes = Buffer.alloc(logIndexBytes)
  #seen: LastState
  #isOpen = true

  /** Watches the files of a database that a connection has read from. */
  constructor(database: string) {
    this.#database = watched(database)
    this.#log = watched(logFile(database))
    this.#index = watched(indexFile(database))
    const { size, mtimeNs } = fstatSync(this.#database.descriptor, { bigint: true })
    this.#seen = { size, changedAt: mtimeNs, firstPage: this.#firstPage(), index: this.#readIndex() }
  }

  /** What happened to the files; undefined if nothing did. */
  look(): FileLoss | undefined {
    // The index first: what it says is never newer than the files read afterwards.
    const index = this.#readIndex()
    const [database, log] = [present(this.#database), present(this.#log)]
    if (typeof database === 'string') return { file: 'database', isGone: true, cause: database }
    if (typeof log === 'string') return { file: 'log', isGone: true, cause: log }
    const indexStats = present(this.#index)
    if (typeof indexStats === 'string') return { file: 'index', isGone: true, cause: indexStats }
    if (log === undefined || database === undefined) return undefined
    const fault = this.#faultOfDatabase(database, index) ?? this.#faultOfLog(log, index)
    // Another process may have written in between; then the next check decides.
    if (fault !== undefined) return sameIndex(index, this.#readIndex()) ? fault : undefined
    const { firstPage, changedAt } = this.#seen
    this.#seen = {
      size: database.size,
      changedAt: database.mtimeNs,
      firstPage: changedAt === database.mtimeNs ? firstPage : this.#firstPage(),
      index,
    }
    return undefined
  }

  #faultOfLog({ size }: BigIntStats, index: LogIndex | undefined): FileLoss | undefined {
    if (index === undefined || index.frames === 0) return undefined
    if (size < logHeaderBytes + index.frames * (frameHeaderBytes + index.pageSize))
      return changed('log', this.#log, 'shortened')
    const salts = Buffer.alloc(8)
    readSync(this.#log.descriptor, salts, 0, salts.length, 16)
    return salts.equals(index.salts) ? undefined : changed('log', this.#log, 'overwritten')
  }

  #faultOfDatabase({ size, mtimeNs }: BigIntStats, index: LogIndex | undefined): FileLoss | undefined {
    const writtenBack = !sameProgress(this.#seen.index, index) || isWritingBack(index)
    // Only VACUUM shrinks a database, and writing its result back records that on the first page.
    if (size < this.#seen.size && !(writtenBack && this.#holds(size)))
      return changed('database', this.#database, 'shortened')
    if (mtimeNs === this.#seen.changedAt || writtenBack) return undefined
    const isSame = this.#firstPage().equals(this.#seen.firstPage)
    return isSame ? undefined : changed('database', this.#database, 'overwritten')
  }

  /** Whether a database of this many bytes contains the pages that its first page claims. */
  #holds(size: bigint): boolean {
    const page = this.#firstPage()
    const pageSize = page.readUInt16BE(16) === 1 ? 65_536 : page.readUInt16BE(16)
    return page.toString('latin1', 0, beginning.length) === beginning && size >= page.readUInt32BE(28) * pageSize
  }

  #firstPage(): Buffer {
    const page = Buffer.alloc(firstPageBytes)
    readSync(this.#database.descriptor, page, 0, firstPageBytes, 0)
    return page
  }

  #readIndex(): LogIndex | undefined {
    const bytes = readSync(this.#index.descriptor, this.#indexBytes, 0, logIndexBytes, 0)
    return readLogIndex(this.#indexBytes.subarray(0, bytes))
  }

  /** The still open files, with their descriptors: the database and its log. */
  get open(): { readonly database: number; readonly log: number } {
    return { database: this.#database.descriptor, log: this.#log.descriptor }
  }

  /**
   * Ends the watch. Call it only once, after all connections of this process are closed: the number of a closed
   * descriptor may already belong to another file.
   */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    for (const { descriptor } of [this.#database, this.#log, this.#index]) closeSync(descriptor)
  }
}

const watched = (file: string): WatchedFile => ({ file, descriptor: openSync(file, 'r') })

const changed = (file: FileLoss['file'], { file: path }: WatchedFile, how: string): FileLoss => ({
  file,
  isGone: false,
  cause: `${basename(path)} was ${how}`,
})

/** The state of a file; a sentence if its name no longer leads to it; undefined if the system cannot tell. */
function present({ file, descriptor }: WatchedFile): BigIntStats | string | undefined {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
    if (stats === undefined) return `${basename(file)} was removed`
    const open = fstatSync(descriptor, { bigint: true })
    return stats.ino === open.ino && stats.dev === open.dev ? stats : `${basename(file)} was replaced by another file`
  } catch {
    return undefined
  }
}

const isWritingBack = (index: LogIndex | undefined): boolean =>
  index === undefined || index.writingBack !== index.writtenBack

/** Whether nothing was written back, and no log was started, between two readings. */
const sameProgress = (one: LogIndex | undefined, other: LogIndex | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.writtenBack === other.writtenBack &&
  one.writingBack === other.writingBack &&
  one.salts.equals(other.salts)

const sameIndex = (one: LogIndex | undefined, other: LogIndex | undefined): boolean =>
  one?.frames === other?.frames && (one === other || sameProgress(one, other))
