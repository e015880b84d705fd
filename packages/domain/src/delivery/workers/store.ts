import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'

/** An agent that works on a board, or may. */
export interface WorkingAgent {
  readonly id: string
  readonly name: string
  readonly last_used_at: string | null
}

/** Agents that hold a card or wait, and agents of the board that were seen since a time; some occur several times. */
export const workingAgents = hot<{ board: string; now: string; since: string; waiters: string }, WorkingAgent>(
  (_, param) => {
    const id = sql.ref<string>('a.id')
    const holders = sql`select agent_id from claims where board_id = ${param('board')} and expires_at > ${param('now')}`
    const members = sql`select owner_id from boards where id = ${param('board')}
    union all select agent_id from grants where board_id = ${param('board')}
    union all select user_id from shares where board_id = ${param('board')}`
    const read = sql`select a.id, a.name, a.last_used_at from agents a where a.deleted_at is null`
    return sql<WorkingAgent>`${read} and ${dialect.inFew(id, holders)}
    union all ${read} and ${dialect.inList(id, sql<string>`${param('waiters')}`)}
    union all ${read} and a.kind = 'agent' and a.last_used_at > ${param('since')} and ${dialect.inFew(id, members)}`
  },
)

/** A card that somebody holds. */
export interface HeldCard {
  readonly card_id: string
  readonly agent_id: string
  readonly title: string
  readonly number: number
  readonly key: string
  readonly stage: 'work' | 'validation'
  readonly claimed_at: string
  readonly expires_at: string
  /** How often it was started and then lost or refused before. */
  readonly attempts: number
  /** The session that it is bound to. */
  readonly session: string | null
}

/** The cards of a board that are held. */
export const heldCardsOf = hot<{ board: string; now: string }, HeldCard>(
  (_, param) => sql<HeldCard>`select c.id as card_id, cl.agent_id, c.title, c.number, b.key, cl.stage, cl.claimed_at,
        cl.expires_at, c.failed_attempts + c.lost_attempts as attempts, s.name as session
      from claims cl join cards c on c.id = cl.card_id and ${sameBoard('c', 'cl')} join boards b on b.id = c.board_id
        left join client_sessions s on s.agent_id = cl.agent_id and s.name = cl.session and s.expires_at > ${param('now')}
      where cl.board_id = ${param('board')} and cl.expires_at > ${param('now')}`,
)

/** The last action of an agent on a board. */
export interface LastEvent {
  readonly actor_id: string
  readonly action: string
  readonly entity_id: string
  readonly created_at: string
}

/** How many of a board's newest entries are searched for the last one of each agent. */
const maxEntries = 2_000

/** The last entry of each agent among the newest of a board. */
export const lastEvents = hot<{ board: string }, LastEvent>(
  (_, param) => sql<LastEvent>`
    with newest as (
      select seq, actor_id, coalesce(action, history_action) as action, entity_id, created_at from events
        where board_id = ${param('board')} order by seq desc limit ${sql.lit(maxEntries)})
    select actor_id, action, entity_id, created_at from newest n
      where n.action is not null and seq = (
        select max(o.seq) from newest o where o.actor_id = n.actor_id and o.action is not null)`,
)
