import { open, rm } from 'node:fs/promises'
import { incomingPath, writeAll } from '../../delivery/attachments/files/incoming.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { IncomingFile } from '../../kernel/implement.ts'
import { releaseBuffer } from '../../lib/release-buffer.ts'

/** The maximum size of another tool's file, bytes (exchange 1). */
const otherMaxBytes = 256 * 2 ** 20

/** A file that was uploaded, in the data folder until it is imported. */
export interface UploadedFile {
  readonly path: string
  readonly filename: string
  readonly isZip: boolean
  readonly size: number
  /** The maximum size if it is an archive, bytes. */
  readonly archiveMaxBytes: number
}

/** The first bytes of a zip: of one with files, and of an empty one. */
const zipStarts: readonly string[] = ['504b0304', '504b0506']

/**
 * Stores an upload as it arrives. Only an opened zip shows whether it is an archive: until then the larger limit
 * applies.
 * @throws DomainError PAYLOAD_TOO_LARGE as soon as there are more bytes than allowed
 */
export async function received(folder: string, file: IncomingFile, archiveMaxBytes: number): Promise<UploadedFile> {
  const path = await incomingPath(folder, 'import')
  const handle = await open(path, 'wx', 0o600)
  const zipMaxBytes = Math.max(archiveMaxBytes, otherMaxBytes)
  try {
    let size = 0
    let start = Buffer.alloc(0)
    for await (const chunk of file.open()) {
      size += chunk.byteLength
      if (start.length < 4) start = Buffer.concat([start, chunk.subarray(0, 4)]).subarray(0, 4)
      const max = isZip(start) ? zipMaxBytes : otherMaxBytes
      if (size > max) throw tooLarge(max)
      await writeAll(handle, chunk)
      releaseBuffer(chunk)
    }
    return { path, filename: file.filename, isZip: isZip(start), size, archiveMaxBytes }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

const isZip = (start: Buffer): boolean => zipStarts.includes(start.toString('hex'))

/** @throws DomainError PAYLOAD_TOO_LARGE for an archive above its limit */
export function refuseLargeArchive({ size, archiveMaxBytes }: UploadedFile): void {
  if (size > archiveMaxBytes) throw tooLarge(archiveMaxBytes)
}

/** @throws DomainError PAYLOAD_TOO_LARGE for a zip of another tool above its limit */
export function refuseLargeOther({ size }: UploadedFile): void {
  if (size > otherMaxBytes) throw tooLarge(otherMaxBytes)
}

const tooLarge = (max_bytes: number) =>
  new DomainError('PAYLOAD_TOO_LARGE', `A file to import has at most ${max_bytes} bytes here.`, { max_bytes })
