import { createHash } from 'node:crypto'

/** Surrogates stand for code points above all others, so that units compare as code points do. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/** Orders texts by code point, where the language's own order is by UTF-16 unit. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** A JSON value as text of one form only: keys sorted by code point at every depth, no white space (insight A.5). */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([a], [b]) => byCodePoint(a, b))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join()}}`
}

/** The lower-case hex SHA-256 of a text's UTF-8 bytes. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
