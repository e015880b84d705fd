import { finished, type Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { MalformedMultipart } from './invalid-input.ts'

/** The most header lines of a part, and the most bytes of them. */
const maxHeaders = 32
const maxHeaderBytes = 16 << 10

/** The headers of a part by lower-case name, as they came. */
export type PartHeaders = ReadonlyMap<string, string>

/** A part of a multipart body, and its bytes, which are read once, while they arrive. */
export interface FoundPart<Chosen> {
  readonly chosen: Chosen
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Reads a multipart body up to the first part that is wanted, never more of it in memory than came at once.
 *
 * Dicer, the parser within `@fastify/busboy`, hands over the headers as they came. Busboy itself does not tell
 * whether a part declared its type. A line of headers that Dicer cannot read ends them silently.
 * @param choose makes of a part's headers what is to be known of it; undefined for a part that is not wanted
 * @returns undefined when there is no such part
 * @throws MalformedMultipart when the body ends early or a part has no proper headers, also while bytes are read
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
    // Told by an event alone, it would be missed by who begins to read later, and the end seem to be a proper one.
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
  // A pipe does not tell of a source that breaks off, or did before.
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
