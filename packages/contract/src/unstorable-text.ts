import { type IssueItem, issueItem } from './issues.ts'

const refused = (loc: readonly string[]): IssueItem =>
  issueItem(loc, 'string_unicode', 'must contain neither NUL nor half a surrogate pair')

const isUnstorable = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0') || !value.isWellFormed()
    : Array.isArray(value) && value.some(isUnstorable)

/**
 * An item for each parameter of a path or query that contains NUL, which PostgreSQL cannot store, or a lone surrogate,
 * which UTF-8 cannot encode (walls 6).
 */
export const unstorable = (part: 'path' | 'query', values: Readonly<Record<string, unknown>>): IssueItem[] =>
  Object.entries(values)
    .filter(([, value]) => isUnstorable(value))
    .map(([name]) => refused([part, name]))

/** The first two bytes of a lone surrogate, percent-encoded. */
const half = /%ed%[ab]/i

/** An item for the path and one for the query of an address that encode a lone surrogate; decoders hide it. */
export function halvesIn(address: string): IssueItem[] {
  const [path = '', ...query] = address.split('?')
  return [
    ...(half.test(path) ? [refused(['path'])] : []),
    ...(query.some(part => half.test(part)) ? [refused(['query'])] : []),
  ]
}
