import { type IssueItem, issueItem } from './issues.ts'

const refused = (loc: readonly string[]): IssueItem =>
  issueItem(loc, 'string_unicode', 'must hold neither NUL nor half of a surrogate pair')

const isUnstorable = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0') || !value.isWellFormed()
    : Array.isArray(value) && value.some(isUnstorable)

/**
 * An item for each parameter of a path or query that holds NUL, which PostgreSQL stores in no text, or half of a surrogate
 * pair, which no UTF-8 holds (walls 6).
 */
export const unstorable = (part: 'path' | 'query', values: Readonly<Record<string, unknown>>): IssueItem[] =>
  Object.entries(values)
    .filter(([, value]) => isUnstorable(value))
    .map(([name]) => refused([part, name]))

/** The first two bytes of half of a surrogate pair, as an address would have them. */
const half = /%ed%[ab]/i

/** An item for the path and one for the query of an address that encode half of a surrogate pair; decoders hide it. */
export function halvesIn(address: string): IssueItem[] {
  const [path = '', ...query] = address.split('?')
  return [
    ...(half.test(path) ? [refused(['path'])] : []),
    ...(query.some(part => half.test(part)) ? [refused(['query'])] : []),
  ]
}
