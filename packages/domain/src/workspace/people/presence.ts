/** Actions on pages that need a present person although no operation requires it (people 1.4). */
import type { Caller } from '../../kernel/context.ts'
import { PersonRequired } from '../../kernel/person-required.ts'
import type { Service } from '../../kernel/service/service.ts'

/**
 * Refuses a session that is not present: a stolen key would turn into something that outlives it.
 * @param subject a noun phrase: `the connection of a client over MCP`
 * @throws DomainError PERSON_REQUIRED, which names the person whose session it is
 */
export function requirePresentPerson(
  { environment }: Pick<Service, 'environment'>,
  { id, name, kind, present }: Caller,
  subject: string,
): void {
  if (present) return
  const persons = kind === 'person' ? [{ id, name }] : []
  throw new PersonRequired({ needs: 'present', gate: null, action: subject }, persons, environment.publicUrl)
}
