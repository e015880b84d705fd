import type { Change } from '../schema/contents.ts'

type Item = Readonly<Record<string, unknown>>

/**
 * The value that a field had before some changes of it, derived from the value after them. A change names the field
 * itself, an item of the list that it holds (`decisions.d1`), or a member of an item (`test_scenarios.t1.status`).
 * @param changes oldest first
 */
export const valueBefore = (field: string, now: unknown, changes: readonly Change[]): unknown =>
  changes.reduceRight<unknown>((value, change) => undone(field, value, change), now)

function undone(field: string, now: unknown, change: Change): unknown {
  if (change.field === field) return change.old ?? null
  const list = (now ?? []) as readonly unknown[]
  const rest = change.field.slice(field.length + 1)
  const exact = list.findIndex(item => rest === idOf(item))
  const at = exact === -1 ? list.findIndex(item => rest.startsWith(`${idOf(item)}.`)) : exact
  const item = list[at] as Item | undefined
  if (item !== undefined && rest !== idOf(item)) {
    const member = rest.slice(String(idOf(item)).length + 1)
    return list.with(at, { ...item, [member]: change.old ?? null })
  }
  // The position of a removed item is not recorded.
  if (item === undefined) return change.old == null ? list : [...list, change.old]
  return change.old == null ? list.toSpliced(at, 1) : list.with(at, change.old)
}

const idOf = (item: unknown): string | undefined => {
  const id = (item as Item | null)?.id
  return typeof id === 'string' ? id : undefined
}
