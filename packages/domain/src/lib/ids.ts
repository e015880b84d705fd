import { createHash, randomFillSync } from 'node:crypto'
import { isId } from '@specboard/storage/safe-path'

export { isId }

/** Random bytes to draw at once: a draw for each id would take longer than everything else. */
const poolBytes = 4096

/**
 * Makes UUIDv7 strings that sort in the order of their creation, even within a millisecond and when the clock steps
 * back: 48 bits of time, a 12-bit counter, 62 random bits.
 *
 * @example
 * // One source per process: ids of two sources are unique, but do not sort among each other.
 * const newId = idSource(Date.now)
 */
export function idSource(clock: () => number): () => string {
  const bytes = Buffer.alloc(16)
  const random = Buffer.alloc(poolBytes)
  let offset = poolBytes
  let lastTime = 0
  let counter = 0
  return () => {
    const time = clock()
    if (time > lastTime) {
      lastTime = time
      counter = 0
    } else if (++counter > 0xfff) {
      lastTime++
      counter = 0
    }
    if (offset === poolBytes) {
      randomFillSync(random)
      offset = 0
    }
    random.copy(bytes, 8, offset, offset + 8)
    offset += 8
    bytes.writeUIntBE(lastTime, 0, 6)
    bytes.writeUInt16BE(0x7000 | counter, 6)
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    return uuidText(bytes)
  }
}

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const actorForm = /^(?:ci|forge|automation):(.*)$/s

/** Whether a text has the form of an actor's id: an agent's, or that of a part of the service (walls 1). */
export const isActorId = (text: string): boolean => isId(text) || isId(actorForm.exec(text)?.[1] ?? '')

/** The replacement for an id of another form, always the same: a UUID of version 8, derived from its hash. */
export function derivedId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return uuidText(bytes)
}
