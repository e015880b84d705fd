const utf8 = new TextEncoder()

const step = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

/** The 32-bit FNV-1a hash of a text in UTF-8. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    // An ASCII character is its own byte; at the first other character the rest of the text is encoded.
    if (unit > 0x7f) {
      for (const byte of utf8.encode(text.slice(index))) hash = step(hash, byte)
      break
    }
    hash = step(hash, unit)
  }
  return hash >>> 0
}
