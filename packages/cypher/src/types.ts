/** What a value is, as far as the query alone tells. `scalar` is a text or a number; items of a list may be of `any` kind. */
export type Type =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'scalar' | 'null' | 'node' | 'edge' | 'path' | 'any' }
  | { readonly kind: 'list'; readonly of: Type }

export const string: Type = { kind: 'string' }
export const number: Type = { kind: 'number' }
export const boolean: Type = { kind: 'boolean' }
export const scalar: Type = { kind: 'scalar' }
export const nothing: Type = { kind: 'null' }
export const node: Type = { kind: 'node' }
export const edge: Type = { kind: 'edge' }
export const path: Type = { kind: 'path' }
export const any: Type = { kind: 'any' }
export const listOf = (of: Type): Type => ({ kind: 'list', of })

/** A type in words. */
export const named = (type: Type): string =>
  type.kind === 'null' ? 'null' : `${type.kind === 'edge' ? 'an' : 'a'} ${type.kind}`

/** Whether a value is of one of the kinds; null is of every kind. */
export const is = ({ kind }: Type, ...kinds: readonly Type['kind'][]): boolean =>
  kind === 'null' || kinds.includes(kind)

const isScalar = ({ kind }: Type) => kind === 'string' || kind === 'number' || kind === 'scalar'

/** The type of one of several values; null when they have none in common. */
export function common(types: readonly Type[]): Type | null {
  const known = types.filter(({ kind }) => kind !== 'null')
  const first = known[0]
  if (first === undefined) return nothing
  if (known.every(({ kind }) => kind === first.kind && kind !== 'list')) return first
  if (known.every(isScalar)) return scalar
  const lists = known.flatMap(type => (type.kind === 'list' ? [type.of] : []))
  if (lists.length < known.length) return null
  const of = common(lists)
  return of === null ? null : listOf(of)
}

/** How two values are compared: as one kind, by what they turn out to be, or never (then null comes of it). */
export function comparison(a: Type, b: Type): 'same' | 'dynamic' | 'never' {
  if (a.kind === 'null' || b.kind === 'null') return 'never'
  if (isScalar(a) && isScalar(b))
    return a.kind === b.kind && a.kind !== 'scalar'
      ? 'same'
      : a.kind === 'scalar' || b.kind === 'scalar'
        ? 'dynamic'
        : 'never'
  return a.kind === b.kind ? 'same' : 'never'
}
