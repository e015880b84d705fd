import { createHash } from 'node:crypto'
import { type FileHandle, open as openFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, inflateRawSync } from 'node:zlib'
import { errorMessage } from '@specboard/storage'
import yauzl from 'yauzl'
import { DomainError } from '../../kernel/errors.ts'
import { releaseBuffer } from '../../lib/release-buffer.ts'
import { zipBombLimits } from '../archive/layout.ts'
import { refused } from './refused.ts'

/** The maximum total size of the files in a zip, bytes. */
const maxUnpacked = 2 * 2 ** 30

/** How many files a zip may have. */
const maxEntries = 200_000

/** How much of an uncompressed entry is read at once, bytes. */
const pieceBytes = 64 << 10

/** The codes by which a zip marks an entry as not compressed, or deflated. */
const notCompressed = 0
const deflated = 8

/** The maximum size of an entry that is inflated in one piece, bytes: starting a stream takes several times longer. */
const smallBytes = 32 << 10

/** A file in a zip. */
export interface ZipEntry {
  /** With slashes between its parts. */
  readonly name: string
  /** As written in the zip: refusals use this name. */
  readonly spelt: string
  readonly size: number
  readonly entry: yauzl.Entry
}

const open = promisify(
  yauzl.open as (path: string, options: yauzl.Options, done: (e: Error | null, zip: yauzl.ZipFile) => void) => void,
)

/** A zip whose table of contents was checked; the contents are checked as they are read (exchange 1). */
export class Zip {
  readonly entries: ReadonlyMap<string, ZipEntry>
  /** The total size of its files, bytes. */
  readonly unpackedBytes: number
  readonly #zip: yauzl.ZipFile
  readonly #file: FileHandle

  private constructor(zip: yauzl.ZipFile, entries: ReadonlyMap<string, ZipEntry>, file: FileHandle) {
    this.#zip = zip
    this.entries = entries
    this.unpackedBytes = entries.values().reduce((sum, { size }) => sum + size, 0)
    this.#file = file
  }

  /** @throws DomainError VALIDATION_ERROR for anything that is not a zip, is damaged or could do harm */
  static async open(path: string): Promise<Zip> {
    const zip = await open(path, { autoClose: false, lazyEntries: true, decodeStrings: false }).catch(error => {
      throw unreadable(error)
    })
    try {
      return new Zip(zip, await contents(zip), await openFile(path))
    } catch (error) {
      zip.close()
      throw unreadable(error)
    }
  }

  /**
   * The bytes of an entry, whose checksum is compared at the end. Each chunk is only valid until the next one: to keep
   * it, copy it.
   */
  async *bytes({ spelt, entry }: ZipEntry): AsyncGenerator<Buffer> {
    let sum = 0
    try {
      for await (const chunk of this.#pieces(entry)) {
        sum = crc32(chunk, sum)
        yield chunk
      }
    } catch (error) {
      throw unreadable(error, spelt)
    }
    if (sum !== entry.crc32) throw refused('The zip was altered: a checksum is wrong', { entry: spelt })
  }

  #pieces(entry: yauzl.Entry): AsyncGenerator<Buffer> {
    if (entry.compressionMethod === notCompressed) return this.#stored(entry)
    const isSmall = entry.compressedSize <= smallBytes && entry.uncompressedSize <= smallBytes
    return isSmall && entry.compressionMethod === deflated ? this.#inflatedAtOnce(entry) : this.#inflated(entry)
  }

  /** The bytes of a small compressed entry; inflating stops if it has more than it claims. */
  async *#inflatedAtOnce(entry: yauzl.Entry): AsyncGenerator<Buffer> {
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const packed = Buffer.allocUnsafe(entry.compressedSize)
    const { bytesRead } = await this.#file.read(packed, 0, packed.length, fileDataStart)
    if (bytesRead < packed.length) throw new Error('it ends within a file')
    const unpacked = inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.uncompressedSize) })
    if (unpacked.length !== entry.uncompressedSize) throw new Error('a file has another size than declared')
    yield unpacked
  }

  /**
   * The bytes of an uncompressed entry, as most attachments are: through one buffer, because a stream makes a new one
   * for each chunk, and V8 lets tens of MiB of them accumulate.
   */
  async *#stored(entry: yauzl.Entry): AsyncGenerator<Buffer> {
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const buffer = Buffer.allocUnsafeSlow(pieceBytes)
    for (let at = 0; at < entry.compressedSize; ) {
      const size = Math.min(pieceBytes, entry.compressedSize - at)
      const { bytesRead } = await this.#file.read(buffer, 0, size, fileDataStart + at)
      if (bytesRead === 0) throw new Error('it ends within a file')
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  }

  /** The bytes of a compressed entry. */
  async *#inflated(entry: yauzl.Entry): AsyncGenerator<Buffer> {
    for await (const piece of (await this.#zip.openReadStreamPromise(entry)) as Readable) {
      yield piece
      releaseBuffer(piece)
    }
  }

  /** The whole content of an entry. */
  async content(entry: ZipEntry): Promise<Buffer> {
    const whole = Buffer.allocUnsafeSlow(entry.size)
    let size = 0
    for await (const piece of this.bytes(entry)) {
      if (size + piece.length > entry.size) throw refused('A file is larger than the zip says', { entry: entry.name })
      size += piece.copy(whole, size)
    }
    return whole.subarray(0, size)
  }

  async close(): Promise<void> {
    this.#zip.close()
    await this.#file.close()
  }
}

const unreadable = (error: unknown, entry?: string): unknown =>
  error instanceof DomainError
    ? error
    : refused(`The file is not a zip, or was cut: ${errorMessage(error)}`, {
        ...(entry !== undefined && { entry }),
      })

async function contents(zip: yauzl.ZipFile): Promise<Map<string, ZipEntry>> {
  const entries = new Map<string, ZipEntry>()
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    const spelt = Buffer.from(entry.fileName).toString('utf8')
    const name = spelt.replaceAll('\\', '/')
    const harm = harmOf(entry, name)
    if (harm !== undefined) throw refused(`The zip ${harm}`, { entry: spelt })
    if (name.endsWith('/')) continue
    if (entries.has(name)) throw refused('The zip has two files with one name', { entry: spelt })
    if (entries.size >= maxEntries) throw refused(`The zip has more than ${maxEntries} files`)
    unpacked += entry.uncompressedSize
    if (unpacked > maxUnpacked) throw refused('The zip has more than 2 GiB unpacked', { entry: spelt })
    entries.set(name, { name, spelt, size: entry.uncompressedSize, entry })
  }
  const all = [...entries.values()]
  refuseBomb(unpacked, all)
  refuseOverlaps(all)
  return entries
}

/** Many small files may together form a zip bomb (walls 5). */
function refuseBomb(unpacked: number, entries: readonly ZipEntry[]): void {
  const packed = entries.reduce((sum, { entry }) => sum + entry.compressedSize, 0)
  if (unpacked > zipBombLimits.largeEntry && unpacked > zipBombLimits.maxCompressionRatio * packed)
    throw refused(`The zip unpacks to more than ${zipBombLimits.maxCompressionRatio} times its size`)
}

/** Bytes of the header of a file, without its name and extra fields. */
const headerBytes = 30

/** Files that share their bytes unpack to more than the zip can contain (walls 5). */
function refuseOverlaps(entries: readonly ZipEntry[]): void {
  const inOrder = entries.toSorted((a, b) => startOf(a) - startOf(b))
  for (const [at, { name, entry }] of inOrder.entries()) {
    const next = inOrder[at + 1]
    const end = entry.relativeOffsetOfLocalHeader + headerBytes + entry.fileNameLength + entry.compressedSize
    if (next !== undefined && end > startOf(next)) throw refused('The zip has files that overlap', { entry: name })
  }
}

const startOf = ({ entry }: ZipEntry): number => entry.relativeOffsetOfLocalHeader

/**
 * Whether an entry is a symbolic link: in zips made on Unix, the upper half of the attributes contains the file type.
 */
const isLink = ({ externalFileAttributes }: yauzl.Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170000) === 0o120000

function harmOf(entry: yauzl.Entry, name: string): string | undefined {
  const { uncompressedSize, compressedSize } = entry
  if (entry.isEncrypted()) return 'is encrypted'
  if (name.split('/').includes('..')) return 'names a file outside of it (..)'
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'names a file by an absolute path'
  if (name.includes('\0') || name === '') return 'has a file without a proper name'
  if (isLink(entry)) return 'has a symbolic link'
  if (
    uncompressedSize > zipBombLimits.largeEntry &&
    uncompressedSize > zipBombLimits.maxCompressionRatio * compressedSize
  )
    return `has a file that unpacks to more than ${zipBombLimits.maxCompressionRatio} times its size`
  if (!entry.canDecodeFileData()) return 'has a file in an unsupported format'
  return undefined
}

/** 400: a file of an archive does not match the manifest. */
export const altered = (entry: string) =>
  refused('The archive was altered: size or hash does not match the manifest', { entry })

/** Passes bytes on and compares size and hash at the end. */
export async function* verified(
  bytes: AsyncIterable<Uint8Array>,
  expected: { readonly name: string; readonly size: number; readonly sha256: string },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    hash.update(chunk)
    yield chunk
  }
  if (size !== expected.size || hash.digest('hex') !== expected.sha256) throw altered(expected.name)
}
