import { keyOfRef } from '../address.ts'

/** What is read as one word: a path, an address or a longer name is no reference because it has the form of one inside. */
const words = /[\p{L}\p{N}_/\\@#&=%+~.:?!-]+/gu

/** A word that is a reference (work 1), and the end of its sentence. */
const reference = /^([A-Z][A-Z0-9]{1,9}-[1-9][0-9]{0,14})[.:?!]{0,3}$/

/** Selects what holds the links of texts that somebody wrote. */
export const written = '.markdown, .named-record'

/** A piece of a text: plain, or a reference to a record. */
export interface Piece {
  readonly text: string
  readonly isReference: boolean
}

/** The pieces of a text, of which references to records of the boards with these keys are pieces of their own. */
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
