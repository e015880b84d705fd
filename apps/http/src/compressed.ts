import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const inBrotli = promisify(brotliCompress)
const inGzip = promisify(gzip)

type Bytes = Uint8Array<ArrayBuffer>

/** Quick rather than small: an answer is compressed each time that it is sent. */
const level = 4

/** The encodings that answers come in, the preferred one first. The engine compresses in threads of its own. */
const encodings: Readonly<Record<string, (text: string | Uint8Array) => Promise<Bytes>>> = {
  br: text => inBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }),
  gzip: text => inGzip(text, { level }),
}

/** Shorter answers gain nothing. */
const fromBytes = 1024

/** Whether an answer is long enough to be compressed. */
export function isCompressible(text: string | Uint8Array): boolean {
  if (typeof text !== 'string') return text.length > fromBytes
  // Most texts need no count of their bytes: a character takes one to three.
  return text.length > fromBytes || (text.length * 3 > fromBytes && Buffer.byteLength(text) > fromBytes)
}

/** The encoding of the highest weight that an `Accept-Encoding` header asks for; undefined for none. */
export function encodingAsked(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map(part => {
        const [, name = '', weight] = /^\s*([^;\s]*)\s*(?:;\s*q=(.*))?$/.exec(part) ?? []
        return [name, weight === undefined ? 1 : Number(weight) || 0] as const
      }),
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = Object.keys(encodings).sort((a, b) => weightOf(b) - weightOf(a))
  return weightOf(best!) > 0 ? best : undefined
}

/** A text in an encoding that `encodingAsked` gave. */
export const compressed = (text: string | Uint8Array, encoding: string): Promise<Bytes> => encodings[encoding]!(text)
