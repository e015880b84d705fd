import type { ErrorCode } from '@specboard/contract'
import { changedFields } from '../kernel/changes.ts'
import { blocked, type DomainError } from '../kernel/errors.ts'
import type { StateMachine } from '../kernel/state-machine.ts'
import type { Change } from '../schema/contents.ts'

/**
 * The refusal to edit an ideation or refinement outside `draft`, with `status` and `allowed`, the statuses it can move
 * to; null in `draft`.
 */
export function lockedRefusal<State extends string>(
  states: Pick<StateMachine<State, string>, 'entity' | 'allowed'>,
  code: ErrorCode,
  status: State,
): DomainError | null {
  if (status === 'draft') return null
  const allowed = states.allowed(status)
  const way = allowed.length === 0 ? 'It is final.' : `Move it to ${allowed.join(' or ')} first.`
  return blocked(code, `This ${states.entity} is ${status}; it can be edited only in draft. ${way}`, {
    status,
    allowed,
  })
}

/** A record after an update, and its changed fields. */
export interface Revision<Stored> {
  readonly after: Stored
  readonly changes: readonly Change[]
}

/**
 * A record with the wanted fields; null when nothing differs. Its version is one higher when a content field differs
 * (ideation 5). A title of null changes nothing.
 */
export function revise<Stored extends { readonly version: number; readonly rev: number; readonly updated_at: string }>(
  before: Stored,
  { title, ...fields }: Partial<Omit<Stored, 'title'>> & { readonly title?: string | null },
  contentFields: readonly (keyof Stored & string)[],
  now: string,
): Revision<Stored> | null {
  const update = { ...(title != null && { title }), ...fields }
  const changes = changedFields({ ...before }, update)
  if (changes.length === 0) return null
  const raised = changes.some(({ field }) => (contentFields as readonly string[]).includes(field))
  const version = raised ? before.version + 1 : before.version
  return { after: { ...before, ...update, version, rev: before.rev + 1, updated_at: now }, changes }
}

/** The version of an ideation or refinement after a move: one higher when it leaves `done` for `draft` (ideation 5). */
export const versionAfterMove = (version: number, from: string, to: string): number =>
  from === 'done' && to === 'draft' ? version + 1 : version

/** The refusal to derive from an ideation or refinement that is not `done`, with `status`; otherwise null. */
export const unfinishedRefusal = (entity: string, code: ErrorCode, status: string): DomainError | null =>
  status === 'done'
    ? null
    : blocked(code, `This ${entity} is ${status}; it must be done before anything is derived from it.`, { status })
