import type { SpecStatus } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { blocked, type DomainError, notFound } from '../errors.ts'
import type { Change } from '../events.ts'
import { sameJson } from '../json.ts'
import type { Db } from '../storage/executor.ts'
import { hot } from '../storage/hot.ts'
import type { Flag } from '../storage/schema.ts'
import { linkableLists } from './items.ts'

/** What the lock of a spec is judged by (specs 5.2); a SpecRecord has it all. */
export interface Lockable {
  readonly id: string
  readonly status: z.infer<typeof SpecStatus>
  readonly current_validation_id: string | null
  /** The current validation succeeded. */
  readonly locked: boolean
}

const waysOut: Readonly<Record<Lockable['status'], string>> = {
  draft: 'Move the spec to draft first.',
  review: 'Move the spec to draft first.',
  approved: 'Move the spec to draft first.',
  validated: 'Move the spec to draft or approved first; that drops its validation.',
  in_progress: 'Move the spec to validated first, then to draft or approved; that drops its validation.',
  done: 'Move the spec to draft first; that drops its validation.',
  cancelled: 'Move the spec to draft first; that drops its validation.',
}

/** The refusal of a change that a locked spec does not take; `fields` only in answer to a PATCH of the spec. */
export function specLocked(spec: Lockable, fields?: readonly string[]): DomainError {
  const details = waysOut[spec.status]
  return blocked('SPEC_LOCKED', `This spec passed its validation and is locked. ${details}`, {
    spec_id: spec.id,
    spec_status: spec.status,
    current_validation_id: spec.current_validation_id,
    details,
    ...(fields !== undefined && { fields }),
  })
}

/**
 * Refuses a change that a locked spec does not take.
 * @throws DomainError SPEC_LOCKED
 */
export function refuseLocked(spec: Lockable): void {
  if (spec.locked) throw specLocked(spec)
}

const freeFields: ReadonlySet<string> = new Set(['assignee_id', 'labels'])
const freeOfScenarios = ['status', 'evidence', 'latest_evidence']

type Item = Readonly<Record<string, unknown>>

const links = (item: Item) => (item.linked_task_ids ?? []) as readonly string[]

/** Whether an item has no other difference than those that a locked spec takes. */
function sameButFree(list: string, before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || typeof after !== 'object') return before === after
  const free = ['linked_task_ids', ...(list === 'test_scenarios' ? freeOfScenarios : [])]
  const kept = (item: Item) => Object.fromEntries(Object.entries(item).filter(([field]) => !free.includes(field)))
  const [was, is] = [before as Item, after as Item]
  const left = links(is).filter(id => links(was).includes(id))
  return sameJson(kept(was), kept(is)) && sameJson(left, links(was))
}

/**
 * The fields of a change that a locked spec does not take: it takes `assignee_id` and `labels`; status and
 * evidence of scenarios that are there; more links on items that are there (specs 5.2).
 */
export function fieldsAgainstLock(changes: readonly Change[]): string[] {
  const against = changes.filter(({ field, old, new: now }) => {
    if (freeFields.has(field)) return false
    if (!linkableLists.some(list => list === field) || !Array.isArray(old) || !Array.isArray(now)) return true
    return old.length !== now.length || !old.every((item, index) => sameButFree(field, item, now[index]))
  })
  return against.map(({ field }) => field)
}

const lockById = hot<{ id: string }, Omit<Lockable, 'locked'> & { locked: Flag }>((db, param) => ({
  compile: () =>
    sql<Omit<Lockable, 'locked'> & { locked: Flag }>`select s.id, s.status, s.current_validation_id,
        case when v.outcome = 'success' then 1 else 0 end as locked
      from specs s left join spec_validations v on v.id = s.current_validation_id
      where s.id = ${param('id')}`.compile(db),
}))

/**
 * The lock of a spec, for features that need nothing else of it.
 * @throws DomainError NOT_FOUND
 */
export async function lockOf(db: Db, specId: string): Promise<Lockable> {
  const [row] = await lockById(db, { id: specId })
  if (row === undefined) throw notFound('spec', specId)
  return { ...row, locked: row.locked === 1 }
}
