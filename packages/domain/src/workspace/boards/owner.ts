import { unauthorized } from '../../kernel/access/keys.ts'
import type { Context } from '../../kernel/context.ts'
import { isAgentDeleted } from '../agents/store.ts'

/**
 * Refuses a board of an agent that was deleted while its call was on the way: nobody could reach the board.
 * @throws DomainError UNAUTHORIZED
 */
export async function refuseDeletedOwner({ db, caller }: Context): Promise<void> {
  if (await isAgentDeleted(db, caller.id)) throw unauthorized()
}
