/** The file of a backup: a zip that ends with the hashes of its entries (exchange 3). */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { errorMessage } from '@specboard/storage'
import yauzl from 'yauzl'
import yazl from 'yazl'
import { BackupError } from './backup-error.ts'
import { type BackupEntry, type Manifest, manifestName, manifestOf } from './manifest.ts'

/** The source of an entry in a backup. */
export interface EntrySource {
  readonly size: number
  readonly mtime: Date
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Writes the entries of a backup one after another, and describes them at the end. */
export class BackupWriter {
  readonly #file: string
  readonly #zip = new yazl.ZipFile()
  readonly #target: WriteStream
  readonly #written: Promise<void>
  readonly #failed: Promise<never>
  readonly #entries: BackupEntry[] = []

  /** @param file created; must not exist yet */
  constructor(file: string) {
    this.#file = file
    const target = createWriteStream(file, { flags: 'wx', mode: 0o600 })
    this.#target = target
    this.#written = finished(this.#zip.outputStream.pipe(target))
    this.#failed = new Promise((_, reject) => {
      this.#zip.on('error', reject)
      target.on('error', reject)
    })
    // The error is reported to whoever waits for an entry or the end.
    for (const outcome of [this.#written, this.#failed]) outcome.catch(() => {})
  }

  /** Adds a file of the system and waits until it was read. */
  async addFile(name: string, path: string, { compress }: { readonly compress: boolean }): Promise<void> {
    const handle = await open(path, 'r')
    const { size, mtime } = await handle.stat()
    await this.add(name, { size, mtime, bytes: handle.createReadStream() }, { compress })
  }

  /** Adds bytes of a known size and waits until they were read. */
  async add(
    name: string,
    { size, mtime, bytes }: EntrySource,
    { compress }: { readonly compress: boolean },
  ): Promise<void> {
    const hash = createHash('sha256')
    const hashed = new Transform({
      transform: (chunk: Buffer, _, done) => {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    const source = Readable.from(bytes)
    source.on('error', error => hashed.destroy(error))
    this.#zip.addReadStream(source.pipe(hashed), name, {
      size,
      mtime,
      mode: 0o100600,
      compressionLevel: compress ? 1 : 0,
    })
    await Promise.race([once(hashed, 'end'), this.#failed])
    this.#entries.push({ name, size, sha256: hash.digest('hex') })
  }

  /** Adds the description and waits until all is on disk. */
  async end(about: Omit<Manifest, 'entries'>): Promise<Manifest> {
    const manifest = { ...about, entries: this.#entries }
    this.#zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), manifestName, { mode: 0o100600 })
    this.#zip.end()
    await Promise.race([this.#written, this.#failed])
    const handle = await open(this.#file, 'r+')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    return manifest
  }

  /** Closes the file; one that was not ended is useless afterwards. */
  async close(): Promise<void> {
    this.#target.destroy()
    await this.#written.catch(() => {})
  }
}

/** A backup that was opened and whose description was read. */
export interface OpenBackup {
  readonly manifest: Manifest
  /** Passes the entries on in order, each with its bytes, and compares their sizes and hashes as they are read. */
  readonly each: (take: (entry: BackupEntry, bytes: AsyncIterable<Buffer>) => Promise<void>) => Promise<void>
  readonly close: () => void
}

/**
 * Opens the file of a backup.
 * @throws BackupError for a file that is not a backup, or is truncated
 */
export async function openBackup(file: string): Promise<OpenBackup> {
  const zip = await yauzl
    .openPromise(file, { lazyEntries: true, autoClose: false })
    .catch((error: NodeJS.ErrnoException) => Promise.reject(unopened(file, error)))
  try {
    const found = await entriesOf(zip)
    const description = found.get(manifestName)
    const manifest = description && manifestOf(await textOf(zip, description))
    if (manifest === undefined) throw notABackup(file, `it has no ${manifestName} that this version reads`)
    const named = [...manifest.entries.map(({ name }) => name), manifestName]
    if (named.length !== found.size || named.some(name => !found.has(name)))
      throw notABackup(file, 'it has other files than its description names')
    return { manifest, each: take => eachEntry(zip, manifest, found, take), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error instanceof BackupError ? error : notABackup(file, errorMessage(error))
  }
}

const notABackup = (file: string, why: string) =>
  new BackupError(`${file} is not a complete backup: ${why.replace(/\.$/, '')}. Choose another one.`)

function unopened(file: string, error: NodeJS.ErrnoException): BackupError {
  if (error.code === 'ENOENT') return new BackupError(`There is no file ${file}. Name the zip of a backup.`)
  if (error.code === 'EISDIR') return new BackupError(`${file} is a folder. Name the zip of a backup.`)
  return notABackup(file, error.message)
}

async function entriesOf(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  const entries = new Map<string, yauzl.Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  return entries
}

async function textOf(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

async function eachEntry(
  zip: yauzl.ZipFile,
  manifest: Manifest,
  found: ReadonlyMap<string, yauzl.Entry>,
  take: Parameters<OpenBackup['each']>[0],
): Promise<void> {
  for (const entry of manifest.entries)
    await take(entry, checked(entry, (await zip.openReadStreamPromise(found.get(entry.name)!)) as Readable))
}

/** Passes bytes on, and compares their size and hash at the end. */
async function* checked({ name, size, sha256 }: BackupEntry, bytes: Readable): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let length = 0
  const altered = () => new BackupError(`The backup was altered: ${name} is not what was saved. Choose another one.`)
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      hash.update(chunk)
      length += chunk.length
      yield chunk
    }
  } catch {
    throw altered()
  }
  if (length !== size || hash.digest('hex') !== sha256) throw altered()
}
