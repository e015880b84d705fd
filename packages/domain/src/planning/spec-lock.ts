import type { SpecStatus } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { blocked, type DomainError, notFound } from '../kernel/errors.ts'
import type { Flag } from '../schema/columns.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import { sameBoard } from '../schema/same-board.ts'

/** The fields of a spec that its lock depends on (specs 5.2); a SpecRecord has all of them. */
export interface Lockable {
  readonly id: string
  readonly status: z.infer<typeof SpecStatus>
  readonly current_validation_id: string | null
  /** Whether the current validation succeeded. */
  readonly locked: boolean
}

const waysOut: Readonly<Record<Lockable['status'], string>> = {
  draft: 'Move the spec to draft first.',
  review: 'Move the spec to draft first.',
  approved: 'Move the spec to draft first.',
  validated: 'Move the spec to draft or approved first; that drops its validation.',
  in_progress: 'Move the spec to draft or approved first, with through: true; that drops its validation.',
  done: 'Move the spec to draft first; that drops its validation.',
  cancelled: 'Move the spec to draft first; that drops its validation.',
}

/**
 * Refuses a change to a locked spec.
 * @throws DomainError SPEC_LOCKED
 */
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
 * Refuses a change to a locked spec.
 * @throws DomainError SPEC_LOCKED
 */
export function refuseLocked(spec: Lockable): void {
  if (spec.locked) throw specLocked(spec)
}

const lockById = hot<{ id: string }, Omit<Lockable, 'locked'> & { locked: Flag }>(
  (_, param) =>
    sql<Omit<Lockable, 'locked'> & { locked: Flag }>`select s.id, s.status, s.current_validation_id,
        case when v.outcome = 'success' then 1 else 0 end as locked
      from specs s left join spec_validations v on v.id = s.current_validation_id and ${sameBoard('v', 's')}
      where s.id = ${param('id')}`,
)

/**
 * The lock of a spec, for features that need no other fields.
 * @throws DomainError NOT_FOUND
 */
export async function lockOf(db: Db, specId: string): Promise<Lockable> {
  const [row] = await lockById(db, { id: specId })
  if (row === undefined) throw notFound('spec', specId)
  return { ...row, locked: row.locked === 1 }
}
