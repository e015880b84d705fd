/** The files of a report, as they are sent (evidence 11). */
import { existsSync } from 'node:fs'
import { glob, readFile, stat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { maxBodyBytes } from '@specboard/contract'
import { Failure, unusableFile } from '../frame/failure.ts'
import { UsageError } from '../frame/usage-error.ts'

const packed = promisify(gzip)

/** Maximum number of files of a report, and the longest name of one, characters. */
const maxFiles = 500
const maxNameLength = 255

/** The maximum size of the form around each file, bytes. */
const formBytes = 1_024

/** Files are compressed only if necessary, and never so much that the service takes one for a zip bomb. */
const packedFrom = 1 << 16
const maxPacked = 90

/**
 * The files given by names and patterns, each once, in order.
 * @throws UsageError if nothing matches, or too much does
 */
export async function filesMatching(patterns: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const pattern of patterns) {
    // A name may contain pattern characters.
    if (existsSync(pattern) && (await stat(pattern)).isFile()) {
      found.add(pattern)
      continue
    }
    for await (const file of glob(pattern)) if ((await stat(file)).isFile()) found.add(file)
  }
  if (found.size === 0)
    throw new UsageError(`No file matches ${patterns.join(', ')}. Has the runner written its report?`)
  if (found.size > maxFiles)
    throw new UsageError(
      `${found.size} files match; a report may have at most ${maxFiles}. Send some under another --name.`,
    )
  return [...found].toSorted()
}

const nameOf = (file: string): string => relative('.', file).split(sep).join('/').slice(-maxNameLength)

/**
 * Reads files, and compresses them if they are too large together.
 * @throws Failure for a file that cannot be read, or if they are still too large
 */
export async function filesToSend(names: readonly string[]): Promise<File[]> {
  const read: { readonly name: string; readonly bytes: Buffer }[] = []
  for (const file of names) {
    const bytes = await readFile(file).catch(error => {
      throw unusableFile(file, 'read', error)
    })
    read.push({ name: nameOf(file), bytes })
  }
  const room = maxBodyBytes - read.length * formBytes
  const sizeOf = (files: readonly { readonly bytes: Buffer }[]) =>
    files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const upload =
    sizeOf(read) <= room
      ? read
      : await Promise.all(read.map(async ({ name, bytes }) => ({ name, bytes: await smaller(bytes) })))
  if (sizeOf(upload) > room)
    throw new Failure(
      'PAYLOAD_TOO_LARGE',
      `The files take ${sizeOf(upload)} bytes packed; a report may have at most ${room}. Send some under another --name.`,
    )
  return upload.map(({ name, bytes }) => new File([new Uint8Array(bytes)], name))
}

async function smaller(bytes: Buffer): Promise<Buffer> {
  if (bytes.length < packedFrom) return bytes
  const small = await packed(bytes)
  return bytes.length > small.length * maxPacked ? bytes : small
}
