import { keyOfRef } from '../address.ts'

/**
 * A word as a whole: a path, an address or a longer name that merely contains something like a reference is not one.
 */
const words = /[\p{L}\p{N}_/\\@#&=%+~.:?!-]+/gu

/** A word that is a reference (work 1), and the end of its sentence. */
const reference = /^([A-Z][A-Z0-9]{1,9}-[1-9][0-9]{0,14})[.:?!]{0,3}$/

/** Selects the elements with links in user-written texts. */
export const writtenTextSelector = '.markdown, .named-record'

/** A piece of a text: plain, or a reference to a record. */
export interface Piece {
  readonly text: string
  readonly isReference: boolean
}

/** Splits a text at its references to records of the boards with these keys. */
export function piecesOf(text: string, keys: ReadonlySet<string>): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: word, index } of text.matchAll(words)) {
    const ref = reference.exec(word)?.[1]
    if (ref === undefined || !keys.has(keyOfRef(ref))) continue
    if (index > at) pieces.push({ text: text.slice(at, index), isReference: false })
    pieces.push({ text: ref, isReference: true })
    at = index + ref.length
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isReference: false })
  return pieces
}
