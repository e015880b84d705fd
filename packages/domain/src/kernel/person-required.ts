import type { Permission } from '@specboard/contract'
import { quotedName } from '../lib/quoted-name.ts'
import type { Db } from '../schema/database.ts'
import { type Bases, firstHolders, type Holder, holdersAmong } from './access/holders.ts'
import { DomainError } from './errors.ts'

/** What a call needs of its caller: to be a person, or a present one (people). */
export type PersonNeeded = 'person' | 'present'

/** A call that only a person may make. */
export interface PersonalCall {
  readonly needs: PersonNeeded
  /** The setting or permission that asks for a person; null where the operation does by itself. */
  readonly gate: string | null
  /** What only a person does, as a noun: `the approval of this spec`. */
  readonly what: string
  /** The board whose persons may do it. */
  readonly boardId?: string
  /** What a person must hold there. */
  readonly permissions?: readonly Permission[]
  /** The persons who may, where that is not a matter of permissions. */
  readonly persons?: readonly Holder[]
  /** Whether it stands in the inbox of the persons who may. */
  readonly isAsked?: boolean
}

/**
 * 409 PERSON_REQUIRED (people 1.4). It is answered with the persons who may, once it is known that it is answered
 * (`withPersons`).
 */
export class PersonRequired extends DomainError {
  readonly call: PersonalCall

  /** @param publicUrl the origin by which people reach the service: its first page shows them what waits for them */
  constructor(call: PersonalCall, persons: readonly Holder[] = call.persons ?? [], publicUrl?: string) {
    const { needs, gate, isAsked = false } = call
    const asked = isAsked && persons.length > 0
    super('PERSON_REQUIRED', messageOf(call, persons, asked), {
      needs,
      gate,
      url: publicUrl === undefined ? null : `${publicUrl}/`,
      persons,
      asked,
    })
    this.call = call
  }
}

function messageOf({ needs, what }: PersonalCall, persons: readonly Holder[], asked: boolean): string {
  const names = persons.map(({ name }) => quotedName(name)).join(', ')
  const who = needs === 'present' ? 'a person who signed in as themself, without a key' : 'a person'
  const may = names === '' ? '' : ` (${names})`
  const told = asked ? ' It stands in their inbox.' : ''
  return `Only ${who}${may} may do this: ${what}.${told} Nothing is left for you to do about it.`
}

/** A refusal as it is answered: one that asks for a person with the first five that may. */
export async function withPersons(
  db: Db,
  bases: Bases,
  refusal: DomainError,
  publicUrl: string | undefined,
): Promise<DomainError> {
  if (!(refusal instanceof PersonRequired)) return refusal
  const { boardId, permissions = [] } = refusal.call
  if (boardId === undefined) return new PersonRequired(refusal.call, undefined, publicUrl)
  return new PersonRequired(
    refusal.call,
    await firstHolders(offset => holdersAmong(db, bases, boardId, permissions, offset, 'person')),
    publicUrl,
  )
}
