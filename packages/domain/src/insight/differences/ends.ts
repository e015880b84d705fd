import type { Change } from '../../schema/contents.ts'

/**
 * Whether a change concerns a field, or an item of the list in that field (`decisions.d1`, `test_scenarios.t1.status`).
 */
export const isOf = (field: string, changed: string): boolean => changed === field || changed.startsWith(`${field}.`)

type Item = Readonly<Record<string, unknown>>

/** The known items of a list at one end, by id; null for an item that does not exist there. */
type KnownItems = Map<string, Item | null>

/**
 * The value of a field before its first change and after its last one. If only items of a list changed, the two lists
 * contain only those items: the others are the same in both.
 */
export function endsOf(field: string, changes: readonly Change[]): readonly [unknown, unknown] {
  const first = changes.findIndex(change => change.field === field)
  if (first === -1) return [listOf(itemsBefore(field, changes)), listOf(itemsAfter(field, changes))]
  const last = changes.findLastIndex(change => change.field === field)
  return [
    withItems(changes[first]!.old, itemsBefore(field, changes.slice(0, first))),
    withItems(changes[last]!.new, itemsAfter(field, changes.slice(last + 1))),
  ]
}

const itemsBefore = (field: string, changes: readonly Change[]): KnownItems =>
  itemsOf(field, changes.toReversed(), 'old')
const itemsAfter = (field: string, changes: readonly Change[]): KnownItems => itemsOf(field, changes, 'new')

/** The items at an end: later changes override earlier ones. */
function itemsOf(field: string, changes: readonly Change[], end: 'old' | 'new'): KnownItems {
  const items: KnownItems = new Map()
  const ids = changes.flatMap(change => idIn(change.old) ?? idIn(change.new) ?? [])
  for (const change of changes) {
    const name = change.field.slice(field.length + 1)
    const value = change[end] ?? null
    const id = ids.find(one => name === one || name.startsWith(`${one}.`)) ?? beforeLastDot(name)
    if (name === id) items.set(id, value as Item | null)
    else if (items.get(id) !== null) items.set(id, { ...items.get(id), id, [name.slice(id.length + 1)]: value })
  }
  return items
}

const idIn = (value: unknown): string | undefined => {
  const id = (value as Item | null | undefined)?.id
  return typeof id === 'string' ? id : undefined
}

/** The item's id in the name of one of its members, which contains no dot. */
const beforeLastDot = (name: string): string => (name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : name)

const listOf = (items: KnownItems): unknown[] => [...items.values()].filter(item => item !== null)

/** A whole list in which the known items replace those that it contains. */
function withItems(value: unknown, items: KnownItems): unknown {
  if (items.size === 0) return value
  const list = (Array.isArray(value) ? value : []) as readonly unknown[]
  const standing = new Set(list.map(idIn))
  const merged = list.flatMap(item => {
    const id = idIn(item)
    if (id === undefined || !items.has(id)) return [item]
    const other = items.get(id)
    return other === null || other === undefined ? [] : [{ ...(item as Item), ...other }]
  })
  return [...merged, ...[...items].flatMap(([id, item]) => (standing.has(id) || item === null ? [] : [item]))]
}
