import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

type Bytes = Uint8Array<ArrayBuffer>

/** Fast rather than small: an answer is compressed each time that it is sent. */
const level = 1
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Longer answers are compressed in the engine's threads; for shorter ones that takes longer than compressing them. */
const atOnceUpTo = 64 << 10

const inBrotli = promisify(brotliCompress)
const inGzip = promisify(gzip)

/** An encoding, for short answers and for long ones. */
interface Encoding {
  atOnce(text: string | Uint8Array): Bytes
  inThread(text: string | Uint8Array): Promise<Bytes>
}

/** The supported encodings of answers, the preferred one first. */
const encodings: Readonly<Record<string, Encoding>> = {
  br: { atOnce: text => brotliCompressSync(text, quality), inThread: text => inBrotli(text, quality) },
  gzip: { atOnce: text => gzipSync(text, { level }), inThread: text => inGzip(text, { level }) },
}

/** Shorter answers gain nothing. */
const fromBytes = 1024

/** Whether an answer is long enough to be compressed. */
export function isCompressible(text: string | Uint8Array): boolean {
  if (typeof text !== 'string') return text.length > fromBytes
  // Most texts need no count of their bytes: a character takes one to three.
  return text.length > fromBytes || (text.length * 3 > fromBytes && Buffer.byteLength(text) > fromBytes)
}

/** The encoding with the highest weight in an `Accept-Encoding` header; undefined if there is none. */
export function preferredEncoding(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map(part => {
        const [name = '', ...parameters] = part.split(';').map(word => word.trim())
        const weight = parameters.find(parameter => parameter.startsWith('q='))
        return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0] as const
      }),
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = Object.keys(encodings).sort((a, b) => weightOf(b) - weightOf(a))
  return weightOf(best!) > 0 ? best : undefined
}

/** A text in an encoding returned by `encodingAsked`. */
export function compressed(text: string | Uint8Array, encoding: string): Bytes | Promise<Bytes> {
  const { atOnce, inThread } = encodings[encoding]!
  return text.length > atOnceUpTo ? inThread(text) : atOnce(text)
}
