import { createHash } from 'node:crypto'
import type { Json } from '@specboard/storage'
import { byCodePoint } from './text-order.ts'

/** The canonical text of a JSON value: keys sorted by code point at every depth, no white space (insight A.5). */
export const canonicalJson = <Value>(value: Value): Json<Value> => canonicalText(value) as Json<Value>

function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([a], [b]) => byCodePoint(a, b))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`).join()}}`
}

/** The lower-case hex SHA-256 of a text's UTF-8 bytes. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
