import type { InPieces } from './pieces.ts'

/** Maximum number of `{ [ ,` outside strings in JSON: each becomes a value in the parser (walls 4). */
export const maxJsonParts = 200_000

/** Bytes examined in one step. */
const bytesOfAPiece = 1 << 20

const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** Whether UTF-8 JSON has too many parts; it is not parsed, and nothing is assumed about its form. */
export function* hasTooManyParts(json: Uint8Array, max = maxJsonParts): InPieces<boolean> {
  if (json.byteLength <= max) return false
  let parts = 0
  let isText = false
  for (let at = 0; at < json.byteLength; at++) {
    if (at % bytesOfAPiece === bytesOfAPiece - 1) yield
    const byte = json[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if ((byte === comma || byte === bracket || byte === brace) && ++parts > max) return true
  }
  return false
}
