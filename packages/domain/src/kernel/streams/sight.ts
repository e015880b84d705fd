import type { Db } from '../../schema/database.ts'
import { DomainError } from '../errors.ts'
import type { Steps } from '../implement.ts'

/** How long a check that the caller may listen holds before it is repeated, ms. */
const settledMs = 1_000

/** Everything about an agent that decides whether it may listen to an existing board: any change ends its streams. */
export const standing = async (db: Db, board: string, agentId: string): Promise<string> =>
  JSON.stringify(
    await db
      .selectFrom('agents')
      .innerJoin('boards', join => join.on(({ eb, val }) => eb('boards.id', '=', val(board))))
      .leftJoin('presets', 'presets.id', 'agents.preset_id')
      .leftJoin('grants', join =>
        join.onRef('grants.agent_id', '=', 'agents.id').onRef('grants.board_id', '=', 'boards.id'),
      )
      .leftJoin('shares', join =>
        join.onRef('shares.user_id', '=', 'agents.id').onRef('shares.board_id', '=', 'boards.id'),
      )
      .select([
        'agents.is_active',
        'agents.deleted_at',
        'agents.key_hash',
        'agents.preset_id',
        'agents.permission_flags',
        'presets.revision',
        'boards.owner_id',
        'grants.permission_overrides',
        'grants.id as grant_id',
        'shares.permission as share',
      ])
      .where('agents.id', '=', agentId)
      .execute(),
  )

/** Whether a reader of a board may still listen: nothing that decides it has changed since it stood so (trust 2). */
export function sightOf(board: string, agentId: string, stood: string, steps: Steps): () => Promise<boolean> {
  const { shared } = steps.environment.streams
  let settledAt = performance.now()
  return async () => {
    const stands = await shared.read(`standing ${board} ${agentId}`, db => standing(db, board, agentId))
    if (stands !== stood) return false
    if (performance.now() - settledAt < settledMs) return true
    settledAt = performance.now()
    try {
      return await steps.read(async () => true)
    } catch (error) {
      if (error instanceof DomainError) return false
      throw error
    }
  }
}
