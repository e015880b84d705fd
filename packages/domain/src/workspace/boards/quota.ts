import type { Context } from '../../kernel/context.ts'
import { blocked } from '../../kernel/errors.ts'
import { countBoardsOf } from './store.ts'

/**
 * Refuses a board beyond the number that an agent may own.
 * @throws DomainError LIMIT_REACHED
 */
export async function refuseBoardBeyondQuota({ db, caller, environment }: Context): Promise<void> {
  const limit = environment.quotas.boardsPerAgent
  if (limit === 0 || (await countBoardsOf(db, caller.id)) < limit) return
  throw blocked('LIMIT_REACHED', `An agent may own ${limit} boards here. Delete one, or ask the operator for more.`, {
    limit,
    what: 'boards',
  })
}
