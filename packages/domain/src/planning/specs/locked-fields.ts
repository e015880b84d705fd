import { features } from '@specboard/contract'
import { sameJson } from '../../lib/json.ts'
import type { Change } from '../../schema/contents.ts'
import { linkableLists } from './items.ts'

const freeFields: ReadonlySet<string> = new Set(['assignee_id', 'labels'])
/**
 * The fields of update_spec that a locked spec accepts as a whole: an evaluation and an expected rev change none of its
 * fields.
 */
const unlocked: ReadonlySet<string> = new Set([...freeFields, 'evaluation', 'expected_rev'])

const freeOfScenarios = ['status', 'evidence', 'latest_evidence', 'tests']

type Item = Readonly<Record<string, unknown>>

const links = (item: Item) => (item.linked_task_ids ?? []) as readonly string[]

/** Whether an item differs only in ways that a locked spec allows. */
export function sameButFree(list: string, before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || typeof after !== 'object') return before === after
  const free = ['linked_task_ids', ...(list === 'test_scenarios' ? freeOfScenarios : [])]
  const lockedPart = (item: Item) => Object.fromEntries(Object.entries(item).filter(([field]) => !free.includes(field)))
  const [was, is] = [before as Item, after as Item]
  const had = new Set(links(was))
  const remaining = links(is).filter(id => had.has(id))
  return sameJson(lockedPart(was), lockedPart(is)) && sameJson(remaining, links(was))
}

/**
 * The changed fields that a locked spec does not allow. It allows `assignee_id` and `labels`, status and evidence of
 * existing scenarios, and more links on existing items (specs 5.2).
 */
export function fieldsAgainstLock(changes: readonly Change[]): string[] {
  const against = changes.filter(({ field, old, new: now }) => {
    if (freeFields.has(field)) return false
    if (!linkableLists.some(list => list === field) || !Array.isArray(old) || !Array.isArray(now)) return true
    return old.length !== now.length || !old.every((item, index) => sameButFree(field, item, now[index]))
  })
  return against.map(({ field }) => field)
}

/**
 * `changed_since_validated` after further changes (specs 5.2): the sorted names of the fields that the lock covers and
 * that changed since the spec last became `validated`; null when it never was.
 */
export const sinceValidated = (
  { changed_since_validated: before }: { readonly changed_since_validated: readonly string[] | null },
  fields: readonly string[],
): string[] | null => (before === null ? null : [...new Set([...before, ...fields])].sort())

/**
 * The fields of update_spec that the lock covers, sorted; none for an unlocked spec. The items of a covered list still
 * accept more links, and scenarios status and evidence.
 */
export const lockedFields = ({ locked }: { readonly locked: boolean }): string[] =>
  locked
    ? Object.keys(features.specs.update_spec.body.shape)
        .filter(name => !unlocked.has(name))
        .sort()
    : []
