import { unauthorized } from '../../kernel/access/keys.ts'
import type { Context } from '../../kernel/context.ts'

/**
 * Refuses a board of an agent that was deleted while its call was on the way: nobody could reach the board.
 * @throws DomainError UNAUTHORIZED
 */
export async function refuseDeletedOwner({ db, caller }: Context): Promise<void> {
  const owner = await db
    .selectFrom('agents')
    .select('id')
    .where('id', '=', caller.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (owner === undefined) throw unauthorized()
}
