import { finished, type Readable, Writable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { MalformedMultipart } from './malformed-multipart.ts'

/** Limits for the headers of a part: lines, and bytes in all. */
const maxHeaders = 32
const maxHeaderBytes = 16 << 10

/** Until a part is accepted, this many bytes are parsed at once: little of what follows a refused one is parsed. */
const searchedBytes = 512

/** The headers of a part by lower-case name, with their unparsed values. */
export type PartHeaders = ReadonlyMap<string, string>

/** A part of a multipart body. Its bytes arrive while they are read, and can be read once. */
export interface FoundPart<Chosen> {
  readonly chosen: Chosen
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Reads a multipart body up to the first part that `choose` accepts, which must be the last one; only buffers of it are
 * held in memory.
 *
 * Dicer, the parser inside `@fastify/busboy`, passes on the headers of a part unchanged; busboy itself does not tell
 * whether a part declared its type. Dicer silently ignores a malformed header line and those after it.
 * @param choose returns what the caller needs from a part's headers; undefined skips the part
 * @returns undefined if no part was accepted
 * @throws MalformedMultipart if the body ends early or a part has invalid headers; also while the bytes are read, and
 *   at their end if another part follows
 */
export function findPart<Chosen>(
  source: Readable,
  boundary: string,
  choose: (headers: PartHeaders) => Chosen | undefined,
): Promise<FoundPart<Chosen> | undefined> {
  const parser = new Dicer({ boundary, maxHeaderPairs: maxHeaders + 1 })
  const { promise, resolve, reject } = Promise.withResolvers<FoundPart<Chosen> | undefined>()
  const rest = Promise.withResolvers<void>()
  rest.promise.catch(() => {})
  let found = false
  let isRefused = false
  parser.on('part', part => {
    // Without this, a reader that starts after the event would take the truncated part for complete.
    part.on('error', error => part.destroy(error))
    if (found) {
      stop()
      rest.reject(new MalformedMultipart('An upload has one part, but another follows the file.'))
      return
    }
    part.on('header', raw => {
      try {
        const chosen = choose(headersOf(raw))
        if (chosen === undefined) return part.resume()
        found = true
        resolve({ chosen, bytes: bytesOf(part, rest.promise) })
      } catch (error) {
        stop()
        reject(error)
      }
    })
  })
  parser.on('error', () => {
    reject(endsEarly())
    rest.reject(endsEarly())
  })
  parser.on('finish', () => {
    resolve(undefined)
    rest.resolve()
  })
  const stop = () => {
    isRefused = true
    source.unpipe(feed)
  }
  const feed = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const parseFrom = (at: number): void => {
        if (isRefused || at >= chunk.length) {
          done()
          return
        }
        const to = found ? chunk.length : at + searchedBytes
        parser.write(chunk.subarray(at, to), error => (error ? done() : parseFrom(to)))
      }
      parseFrom(0)
    },
    final(done) {
      parser.end()
      done()
    },
  })
  source.pipe(feed)
  // A pipe does not end its destination when the source is aborted.
  finished(source, () => feed.end())
  return promise
}

/** @param rest the rest of the body: fails if it contains another part */
async function* bytesOf(part: Readable, rest: Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* part
  } catch {
    throw endsEarly()
  }
  await rest
}

const endsEarly = () => new MalformedMultipart('The body ends before its last boundary.')

/** The headers of a part, which must have a `Content-Disposition` (RFC 7578, 4.2). */
function headersOf(raw: object): PartHeaders {
  const lines = Object.entries(raw as Readonly<Record<string, readonly string[]>>).flatMap(([name, values]) =>
    values.map(value => [name.trim(), value] as const),
  )
  if (lines.length > maxHeaders) throw new MalformedMultipart('A part has too many headers.')
  if (lines.reduce((bytes, [name, value]) => bytes + name.length + value.length, 0) > maxHeaderBytes)
    throw new MalformedMultipart('The headers of a part are too long.')
  const headers = new Map(lines.map(([name, value]) => [name, Buffer.from(value, 'latin1').toString('utf8').trim()]))
  if (!headers.has('content-disposition'))
    throw new MalformedMultipart('A part has no Content-Disposition, or a line before it is malformed.')
  return headers
}
