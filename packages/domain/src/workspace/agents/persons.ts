import type { Permission } from '@specboard/contract'
import { refuseEscalation } from '../../kernel/access/base.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import { type PersonNeeded, PersonRequired } from '../../kernel/person-required.ts'
import type { AgentsTable } from '../../schema/tables.ts'
import { baseOf } from './store.ts'

/**
 * Refuses a caller that is not a present person, whatever its permissions (people 1.2).
 * @param gate the permission that the call requires; null if it requires none
 * @throws DomainError PERSON_REQUIRED
 */
export function requirePresence({ caller }: Context, gate: Permission | null, subject: string): void {
  if (caller.present) return
  const needs: PersonNeeded = 'present'
  throw new PersonRequired({ needs, gate, action: subject, ...(gate !== null && { permissions: [gate] }) })
}

/**
 * Refuses to change another person, except to a present person who manages people and has all permissions of the other
 * (people 1.2, rule 3). Does not apply to agents and services.
 * @throws DomainError FORBIDDEN, PERSON_REQUIRED
 */
export async function refuseOverPerson(ctx: Context, target: AgentsTable, subject: string): Promise<void> {
  if (target.kind !== 'person' || target.id === ctx.caller.id) return
  ctx.require('PEOPLE_MANAGE')
  requirePresence(ctx, 'PEOPLE_MANAGE', subject)
  refuseEscalation((await baseOf(ctx.db, target)).allowed, ctx.caller.base)
}

/**
 * Refuses to renew the key of a person, except to that person, present or with that very key (people 1.2, rule 2).
 * @throws DomainError PERSON_REQUIRED
 */
export function refuseForeignKey({ caller }: Context, { id, kind, name }: AgentsTable): void {
  if (kind !== 'person') return
  const isOwn = caller.id === id && (caller.present || caller.via === 'key')
  if (!isOwn)
    throw new PersonRequired({ needs: 'present', gate: null, action: `a new key of ${name}`, persons: [{ id, name }] })
}

/** 400 if a member of a body is not valid for principals of its kind. */
export const notForKind = (field: string, kind: string): DomainError =>
  new DomainError('VALIDATION_ERROR', `${field} is not for principals of kind ${kind}. Leave it out.`, {
    field,
    details: [{ field, message: `is not for principals of kind ${kind}` }],
  })
