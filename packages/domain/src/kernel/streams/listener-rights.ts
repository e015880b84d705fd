import type { Db } from '../../schema/database.ts'
import { DomainError } from '../errors.ts'
import type { Steps } from '../implement.ts'
import type { Holder } from './holder.ts'

/** The columns of an agent and its preset that decide what it may do anywhere. */
const ownColumns = [
  'agents.is_active',
  'agents.deleted_at',
  'agents.key_hash',
  'agents.preset_id',
  'agents.permission_flags',
  'presets.revision',
] as const

/** How long the check that the caller may listen remains valid, ms. */
const settledMs = 1_000

/** What decides whether an agent may listen, as a text that changes whenever any of it does. */
export interface ListenerRights {
  /** The name of the read, which all streams of the agent share. */
  readonly name: string
  readonly read: (db: Db, agentId: string) => Promise<string>
}

/** Everything about an agent that decides whether its streams go on, whatever boards they show. */
export const ownRights: ListenerRights = {
  name: 'standing',
  read: async (db, agentId) =>
    JSON.stringify(
      await db
        .selectFrom('agents')
        .leftJoin('presets', 'presets.id', 'agents.preset_id')
        .select([...ownColumns])
        .where('agents.id', '=', agentId)
        .execute(),
    ),
}

/** Everything about an agent that decides whether it may listen to an existing board. */
export const rightsOn = (board: string): ListenerRights => ({
  name: `standing on ${board}`,
  read: (db, agentId) => readStanding(db, board, agentId),
})

const readStanding = async (db: Db, board: string, agentId: string): Promise<string> =>
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
        ...ownColumns,
        'boards.owner_id',
        'grants.permission_overrides',
        'grants.id as grant_id',
        'shares.permission as share',
      ])
      .where('agents.id', '=', agentId)
      .execute(),
  )

/**
 * Makes the check of whether a reader may still listen: nothing that decides it has changed since it began (trust 2).
 */
export function listenerCheck(
  standing: ListenerRights,
  { agentId, session }: Holder,
  initial: string,
  steps: Steps,
): () => Promise<boolean> {
  const { shared } = steps.environment.streams
  let settledAt = performance.now()
  return async () => {
    const current = await shared.read(`${standing.name} ${agentId}`, db => standing.read(db, agentId))
    if (current !== initial) return false
    // The read that all streams of an agent share does not cover a browser session.
    if (session === undefined && performance.now() - settledAt < settledMs) return true
    settledAt = performance.now()
    try {
      return await steps.read(async () => true)
    } catch (error) {
      if (error instanceof DomainError) return false
      throw error
    }
  }
}
