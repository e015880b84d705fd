import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Change, Content } from './content.ts'
import type { TraceEvent } from './trace.ts'

const sectorBytes = 512

/** A file or folder that has a name. */
interface NamedFile {
  readonly isFolder: boolean
  /** The bytes that are durable. */
  readonly durable: Content
  /** The later changes, in order. */
  readonly pending: Change[]
  /** The end as the process sees it, where writes without an offset go. */
  end: number
}

/** A change of names in a folder: each then refers to a file or folder, or to nothing. */
type Naming = readonly (readonly [path: string, file: NamedFile | undefined])[]

/** How much of the unsynced data a cut keeps: nothing, all, or a random part down to single sectors. */
export type KeptData = 'nothing' | 'all' | 'some'

/**
 * What a power cut would leave of a folder: the strictest disk that POSIX allows. A file's bytes are durable once the
 * file was synced, its name once its folder was; of the rest any part may survive.
 */
export class Disk {
  readonly #root: string
  /** The folders that existed from the beginning. */
  readonly #first = new Set<string>()
  readonly #durableNames = new Map<string, NamedFile>()
  readonly #names = new Map<string, NamedFile>()
  /** The name changes that are not durable, by folder, in order. */
  readonly #namings = new Map<string, Naming[]>()
  /** How much of a file or folder each running sync covers. */
  readonly #syncs = new Map<string, number>()

  /** A disk with the present content of a folder, all of it durable. */
  constructor(root: string) {
    this.#root = root
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isDirectory()) this.#first.add(path)
      if (!entry.isFile()) continue
      const bytes = readFileSync(path)
      const file: NamedFile = { isFolder: false, durable: new Content(bytes), pending: [], end: bytes.length }
      this.#durableNames.set(path, file)
      this.#names.set(path, file)
    }
  }

  /** Applies the next event of a trace. */
  apply(event: TraceEvent): void {
    if (event.kind === 'sent' || !event.path.startsWith(this.#root)) return
    switch (event.kind) {
      case 'open':
        this.#open(event.path, event.truncates)
        break
      case 'write':
      case 'truncate':
        this.#change(event)
        break
      case 'rename': {
        const file = this.#names.get(event.path)
        this.#name(dirname(event.to), [
          [event.path, undefined],
          [event.to, file],
        ])
        break
      }
      case 'link':
        this.#name(dirname(event.to), [[event.to, this.#names.get(event.path)]])
        break
      case 'unlink':
        this.#name(dirname(event.path), [[event.path, undefined]])
        break
      case 'mkdir':
        this.#name(dirname(event.path), [[event.path, created(true)]])
        break
      case 'syncBegins':
        this.#syncs.set(event.thread, this.#pendingOf(event.path).length)
        break
      case 'syncEnds':
        this.#sync(event.path, this.#syncs.get(event.thread) ?? 0)
    }
  }

  /** Writes into a folder what a power cut at this moment would leave. */
  cut(folder: string, extent: KeptData): void {
    const names = new Map(this.#durableNames)
    for (const namings of this.#namings.values()) {
      // File systems write changes of one folder in order.
      const count =
        extent === 'nothing' ? 0 : extent === 'all' ? namings.length : Math.floor(Math.random() * (namings.length + 1))
      for (const naming of namings.slice(0, count)) applyNaming(names, naming)
    }
    for (const [path, { isFolder }] of names) if (isFolder) mkdirSync(this.#copyOf(path, folder), { recursive: true })
    for (const [path, file] of names) {
      // A file in a folder that is not durable is not reachable.
      if (file.isFolder || !this.#isThere(dirname(path), names)) continue
      mkdirSync(dirname(this.#copyOf(path, folder)), { recursive: true })
      writeFileSync(this.#copyOf(path, folder), contentOf(file, extent))
    }
  }

  #copyOf(path: string, folder: string): string {
    return join(folder, relative(this.#root, path))
  }

  /** Whether the name of a folder and of all its parents is durable; those that existed from the beginning are. */
  #isThere(path: string, names: ReadonlyMap<string, NamedFile>): boolean {
    if (path === this.#root || path === dirname(path)) return true
    return (this.#first.has(path) || names.get(path)?.isFolder === true) && this.#isThere(dirname(path), names)
  }

  #open(path: string, truncates: boolean): void {
    const file = this.#names.get(path)
    if (file === undefined) this.#name(dirname(path), [[path, created(false)]])
    else if (truncates) this.#change({ kind: 'truncate', path, size: 0 })
  }

  #change(event: Extract<TraceEvent, { kind: 'write' | 'truncate' }>): void {
    const file = this.#names.get(event.path)
    if (file === undefined) return
    if (event.kind === 'truncate') {
      file.pending.push({ size: event.size })
      file.end = event.size
      return
    }
    const at = event.at ?? file.end
    file.pending.push({ at, bytes: event.bytes })
    file.end = Math.max(file.end, at + event.bytes.length)
  }

  #name(folder: string, naming: Naming): void {
    applyNaming(this.#names, naming)
    const namings = this.#namings.get(folder) ?? []
    this.#namings.set(folder, namings)
    namings.push(naming)
  }

  #pendingOf(path: string): unknown[] {
    const file = this.#names.get(path)
    return (file?.isFolder === false ? file.pending : this.#namings.get(path)) ?? []
  }

  #sync(path: string, count: number): void {
    const file = this.#names.get(path)
    if (file?.isFolder === false) file.durable.apply(file.pending.splice(0, count))
    else for (const naming of this.#namings.get(path)?.splice(0, count) ?? []) applyNaming(this.#durableNames, naming)
  }
}

function applyNaming(names: Map<string, NamedFile>, naming: Naming): void {
  for (const [path, file] of naming) {
    if (file === undefined) names.delete(path)
    else names.set(path, file)
  }
}

const created = (isFolder: boolean): NamedFile => ({ isFolder, durable: new Content(), pending: [], end: 0 })

function contentOf({ durable, pending }: NamedFile, extent: KeptData): Buffer {
  const content = durable.copy()
  if (extent !== 'nothing') content.apply(extent === 'all' ? pending : pending.flatMap(drawn))
  return content.bytes
}

/** None of a change, all of it, or some of its sectors. */
function drawn(change: Change): Change[] {
  const luck = Math.random()
  if (luck < 0.4) return []
  if (luck < 0.8 || 'size' in change) return [change]
  const sectors = Array.from({ length: Math.ceil(change.bytes.length / sectorBytes) }, (_, sector) => ({
    at: change.at + sector * sectorBytes,
    bytes: change.bytes.subarray(sector * sectorBytes, (sector + 1) * sectorBytes),
  }))
  return sectors.filter(() => Math.random() < 0.5)
}
