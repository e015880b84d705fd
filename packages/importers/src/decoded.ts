import type { Encoding, Entry } from './neutral.ts'

/** Byte order marks, and their encodings. */
const marked = [
  { mark: [0xff, 0xfe], label: 'utf-16le' },
  { mark: [0xfe, 0xff], label: 'utf-16be' },
] as const

/**
 * The content of a file: UTF-8, UTF-16 with a byte order mark, otherwise Windows-1252; no text contains NUL (imports
 * 1).
 */
export function decoded(bytes: Uint8Array): Pick<Entry, 'text' | 'encoding' | 'bytes'> {
  const wide = marked.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  if (wide !== undefined) return content(textIn(bytes, wide.label), 'UTF-16', bytes)
  if (bytes.includes(0)) return { text: null, bytes }
  const utf8 = textIn(bytes, 'utf-8')
  return utf8 === null ? content(textIn(bytes, 'windows-1252'), 'Windows-1252', bytes) : content(utf8, 'UTF-8', bytes)
}

function content(
  text: string | null,
  encoding: Encoding,
  bytes: Uint8Array,
): Pick<Entry, 'text' | 'encoding' | 'bytes'> {
  return text === null || text.includes('\0') ? { text: null, bytes } : { text, encoding }
}

function textIn(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
