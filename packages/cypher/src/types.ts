/** The type of a value, as far as the query alone determines it. `scalar` is a string or number; `any` is for list items. */
export type Type =
  | { readonly kind: 'string' | 'boolean' | 'scalar' | 'null' | 'node' | 'edge' | 'path' | 'any' }
  /** An integer or a real; null when that is known only at run time. */
  | { readonly kind: 'number'; readonly form: 'integer' | 'real' | null }
  | { readonly kind: 'list'; readonly of: Type }

export const string: Type = { kind: 'string' }
export const integer: Type = { kind: 'number', form: 'integer' }
export const real: Type = { kind: 'number', form: 'real' }
export const number: Type = { kind: 'number', form: null }
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

/** Whether a type is of one of the kinds; null is of every kind. */
export const is = ({ kind }: Type, ...kinds: readonly Type['kind'][]): boolean =>
  kind === 'null' || kinds.includes(kind)

/** The form that numbers have in common. */
const formOf = (types: readonly Type[]) => {
  const [first, ...others] = new Set(types.map(type => (type.kind === 'number' ? type.form : null)))
  return others.length === 0 ? (first ?? null) : null
}

/** The type of a calculation: real if one of the operands is; the result of integers need not be an integer. */
export const calculation = (...operands: readonly Type[]): Type =>
  operands.some(type => type.kind === 'number' && type.form === 'real') ? real : number

const isScalar = ({ kind }: Type) => kind === 'string' || kind === 'number' || kind === 'scalar'

/** The type that several types have in common; null when there is none. */
export function common(types: readonly Type[]): Type | null {
  const concrete = types.filter(({ kind }) => kind !== 'null')
  const first = concrete[0]
  if (first === undefined) return nothing
  if (concrete.every(({ kind }) => kind === 'number')) return { kind: 'number', form: formOf(concrete) }
  if (concrete.every(({ kind }) => kind === first.kind && kind !== 'list')) return first
  if (concrete.every(isScalar)) return scalar
  const lists = concrete.flatMap(type => (type.kind === 'list' ? [type.of] : []))
  if (lists.length < concrete.length) return null
  const of = common(lists)
  return of === null ? null : listOf(of)
}

/** How two values are compared: as the same kind, by their kinds at run time, or never (the result is null). */
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
