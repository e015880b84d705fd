import { SpecStatus } from '@specboard/contract'
import { blocked, type DomainError, refuse } from '../../kernel/errors.ts'
import { stateMachine } from '../../kernel/state-machine.ts'
import type { Status } from './store.ts'

/** A condition that a move must meet (specs 6). */
export type GateName =
  | 'coverage'
  | 'spec_validation'
  | 'evaluation'
  | 'criteria'
  | 'sprints'
  | 'tasks'
  | 'scenarios'
  | 'proof'

/** The state table of specs (specs 5.1). */
export const specStates = stateMachine<Status, GateName>('spec', SpecStatus.options, [
  { from: 'draft', to: 'review' },
  { from: 'draft', to: 'cancelled' },
  { from: 'review', to: 'draft' },
  { from: 'review', to: 'approved' },
  { from: 'review', to: 'cancelled' },
  { from: 'approved', to: 'draft' },
  { from: 'approved', to: 'review' },
  { from: 'approved', to: 'cancelled' },
  { from: 'approved', to: 'validated', gates: ['coverage', 'spec_validation'] },
  { from: 'validated', to: 'draft' },
  { from: 'validated', to: 'approved' },
  { from: 'validated', to: 'in_progress', gates: ['coverage', 'evaluation'] },
  { from: 'validated', to: 'cancelled' },
  { from: 'in_progress', to: 'validated', gates: ['coverage'] },
  { from: 'in_progress', to: 'done', gates: ['criteria', 'coverage', 'sprints', 'tasks', 'scenarios', 'proof'] },
  { from: 'in_progress', to: 'cancelled' },
  { from: 'done', to: 'draft' },
  { from: 'cancelled', to: 'draft' },
])

const editable: ReadonlySet<Status> = new Set(['draft', 'review', 'approved'])

/** Whether a spec can be edited in a status; entering such a status drops the validation (specs 5.1). */
export const isEditable = (status: Status): boolean => editable.has(status)

const evaluated: ReadonlySet<Status> = new Set(['validated', 'in_progress'])

/** Whether evaluations of a spec in this status count, so that new content makes them stale (specs 3.3). */
export const isEvaluated = (status: Status): boolean => evaluated.has(status)

/** The statuses in which cards can be linked to a spec (specs 8). */
export const linkableStatuses: readonly Status[] = ['approved', 'validated', 'in_progress', 'done']

/**
 * SPEC_NOT_READY with `spec_id`, `spec_status`, `allowed` if the spec's status does not allow a call, otherwise null.
 */
export function notReady(
  spec: { readonly id: string; readonly status: Status },
  allowed: readonly Status[],
): DomainError | null {
  if (allowed.includes(spec.status)) return null
  return blocked('SPEC_NOT_READY', `The spec is ${spec.status}; it must be one of ${allowed.join(', ')}.`, {
    spec_id: spec.id,
    spec_status: spec.status,
    allowed,
  })
}

/**
 * Refuses a call that the spec's status does not allow.
 * @throws DomainError SPEC_NOT_READY
 */
export const refuseNotReady = (...of: Parameters<typeof notReady>): void => refuse(notReady(...of))

/** SPEC_NOT_APPROVED for a spec that cannot be validated, otherwise null. */
export const notApproved = ({ status }: { readonly status: Status }): DomainError | null =>
  status === 'approved'
    ? null
    : blocked(
        'SPEC_NOT_APPROVED',
        `Only an approved spec can be validated; this one is ${status}. Move it to approved first.`,
        { status },
      )

/** SPEC_NOT_VALIDATED for a spec that cannot be evaluated, otherwise null. */
export const notValidated = ({ status }: { readonly status: Status }): DomainError | null =>
  status === 'validated'
    ? null
    : blocked(
        'SPEC_NOT_VALIDATED',
        `Only a validated spec can be evaluated; this one is ${status}. Validate it first.`,
        { status },
      )

/** INVALID_STATE for a spec whose tests are not written yet, or that was cancelled; null if results can be recorded. */
export const resultsNotOpen = ({ status }: { readonly status: Status }): DomainError | null =>
  linkableStatuses.includes(status)
    ? null
    : blocked('INVALID_STATE', `Results are recorded once the spec is approved; this one is ${status}.`, { status })
