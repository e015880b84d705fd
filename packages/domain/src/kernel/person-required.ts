import type { Permission } from '@specboard/contract'
import { quotedName } from '../lib/quoted-name.ts'
import type { Db } from '../schema/database.ts'
import { type Bases, firstHolders, type Holder, holdersAmong, personsHolding } from './access/holders.ts'
import { DomainError } from './errors.ts'

/** Whether a call requires any person, or one who is present (people). */
export type PersonNeeded = 'person' | 'present'

/** A call that only a person may make. */
export interface PersonalCall {
  readonly needs: PersonNeeded
  /** The setting or permission that requires a person; null where the operation itself does. */
  readonly gate: string | null
  /** What only a person may do, as a noun phrase: `the approval of this spec`. */
  readonly action: string
  /** The board whose people may do it; without one and with permissions, the people of the service. */
  readonly boardId?: string
  /** The permissions that a person needs. */
  readonly permissions?: readonly Permission[]
  /** The people who may do it, where permissions do not decide that. */
  readonly persons?: readonly Holder[]
  /** Whether it appears in the inbox of the people who may do it. */
  readonly isAsked?: boolean
}

/**
 * 409 PERSON_REQUIRED (people 1.4). The people who may act are added when it is certain that it is sent
 * (`withPersons`).
 */
export class PersonRequired extends DomainError {
  readonly call: PersonalCall

  /**
   * @param publicUrl the origin at which people reach the service: its first page shows them what is waiting for them
   */
  constructor(call: PersonalCall, persons: readonly Holder[] = call.persons ?? [], publicUrl?: string) {
    const { needs, gate, isAsked = false } = call
    const isInInbox = isAsked && persons.length > 0
    super('PERSON_REQUIRED', messageOf(call, persons, isInInbox), {
      needs,
      gate,
      url: publicUrl === undefined ? null : `${publicUrl}/`,
      persons,
      asked: isInInbox,
    })
    this.call = call
  }
}

function messageOf({ needs, action }: PersonalCall, persons: readonly Holder[], isInInbox: boolean): string {
  const names = persons.map(({ name }) => quotedName(name)).join(', ')
  const who = needs === 'present' ? 'a person who signed in as themself, without a key' : 'a person'
  const may = names === '' ? '' : ` (${names})`
  const notice = isInInbox ? ' It is in their inbox.' : ''
  return `Only ${who}${may} may do this: ${action}.${notice} Nothing is left for you to do about it.`
}

/** A refusal as it is sent: one that requires a person gets the first five who may act. */
export async function withPersons(
  db: Db,
  bases: Bases,
  refusal: DomainError,
  publicUrl: string | undefined,
): Promise<DomainError> {
  if (!(refusal instanceof PersonRequired)) return refusal
  const { boardId, permissions = [], persons } = refusal.call
  const [permission] = permissions
  if (boardId === undefined && permission !== undefined && persons === undefined)
    return new PersonRequired(refusal.call, await personsHolding(db, bases, permission), publicUrl)
  if (boardId === undefined) return new PersonRequired(refusal.call, undefined, publicUrl)
  return new PersonRequired(
    refusal.call,
    await firstHolders(offset => holdersAmong(db, bases, boardId, permissions, offset, 'person')),
    publicUrl,
  )
}
