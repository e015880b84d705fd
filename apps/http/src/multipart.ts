import { finished, type Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { MalformedMultipart } from './invalid-input.ts'

/** The most header lines of a part, and the most bytes in them. */
const maxHeaders = 32
const maxHeaderBytes = 16 << 10

/** The headers of a part by lower-case name, with their values as sent. */
export type PartHeaders = ReadonlyMap<string, string>

/** A part of a multipart body. Its bytes can be read once, as they arrive. */
export interface FoundPart<Chosen> {
  readonly chosen: Chosen
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Reads a multipart body up to the first wanted part, holding no more of it in memory than one chunk.
 *
 * Dicer, the parser inside `@fastify/busboy`, gives the headers as they were sent. Busboy itself does not say
 * whether a part declared its type. Dicer silently ends the headers at a line that it cannot parse.
 * @param choose turns the headers of a part into what the caller wants to know of it; undefined skips the part
 * @returns undefined when no part was chosen
 * @throws MalformedMultipart when the body ends early or a part has invalid headers; also while its bytes are read
 *
 * @example
 * // Read the bytes before the request ends: they are not kept.
 * const found = await findPart(request, boundary, headers => headers.get('content-type'))
 * if (found !== undefined) for await (const bytes of found.bytes) hash.update(bytes)
 */
export function findPart<Chosen>(
  source: Readable,
  boundary: string,
  choose: (headers: PartHeaders) => Chosen | undefined,
): Promise<FoundPart<Chosen> | undefined> {
  const parser = new Dicer({ boundary, maxHeaderPairs: maxHeaders + 1 })
  const { promise, resolve, reject } = Promise.withResolvers<FoundPart<Chosen> | undefined>()
  let found = false
  parser.on('part', part => {
    // Without destroy, a reader that starts later would miss the event and take the end for a regular one.
    part.on('error', error => part.destroy(error))
    part.on('header', raw => {
      try {
        const chosen = found ? undefined : choose(headersOf(raw))
        if (chosen === undefined) return part.resume()
        found = true
        resolve({ chosen, bytes: bytesOf(part) })
      } catch (error) {
        source.unpipe(parser)
        reject(error)
      }
    })
  })
  parser.on('error', () => reject(endsEarly()))
  parser.on('finish', () => resolve(undefined))
  source.pipe(parser)
  // A pipe does not notice when its source breaks off, or already has.
  finished(source, () => parser.end())
  return promise
}

async function* bytesOf(part: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* part
  } catch {
    throw endsEarly()
  }
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
