import type { InPieces } from '@specboard/contract'

/** Maximum bytes of a call's arguments (mcp 15); an upload is limited by its file instead (mcp 10). */
export const maxArgumentBytes = 4 << 20

/** Values measured in one piece of work. */
const valuesOfAPiece = 10_000

/** Whether the JSON of a value exceeds a number of bytes; measures no more of it than that. */
export function* isLargerThan(bytes: number, value: unknown): InPieces<boolean> {
  const waiting: (readonly unknown[])[] = [[value]]
  let remaining = bytes
  let measured = 0
  for (let members = waiting.pop(); members !== undefined; members = waiting.pop()) {
    for (const member of members) {
      if (++measured % valuesOfAPiece === 0) yield
      if (typeof member !== 'object' || member === null) {
        remaining -= typeof member === 'string' ? Buffer.byteLength(JSON.stringify(member)) : String(member).length
      } else {
        const isArray = Array.isArray(member)
        const inner: readonly unknown[] = isArray ? member : Object.values(member)
        // Brackets, commas, and the colons of an object, whose keys are measured like texts.
        remaining -= 2 + Math.max(0, inner.length - 1) + (isArray ? 0 : inner.length)
        waiting.push(inner, ...(isArray ? [] : [Object.keys(member)]))
      }
      if (remaining < 0) return true
    }
  }
  return false
}
