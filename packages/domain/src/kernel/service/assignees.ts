import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { managedBy } from '../access/managed.ts'
import { agentNamesOf } from '../names.ts'

/** The ids of the boards that an agent sees. */
const boardsSeenBy = (caller: string) => sql`select id from boards where owner_id = ${caller}
        union select board_id from grants where agent_id = ${caller}
        union select board_id from shares where user_id = ${caller}`

/** Whether `a` has a name, as its name, its handle, or its name with the last digits of its id (crew 8.1). */
const isCalled = (name: string) =>
  sql`(a.name = ${name} or a.handle = ${name} or a.name || ' ' || substr(a.id, 33) = ${name})`

/** Whether `a` is on a board of `seen`. */
const isOnSeenBoard = sql`(exists (select 1 from boards b where b.owner_id = a.id and b.id in (select id from seen))
          or exists (select 1 from grants g where g.agent_id = a.id and g.board_id in (select id from seen))
          or exists (select 1 from shares s where s.user_id = a.id and s.board_id in (select id from seen)))`

/**
 * The active agents with a name on the boards that the caller sees; at most two, since an ambiguous name matches
 * nobody. The last digits of an agent's id after its name identify it (crew 8.1).
 */
const byName = hot<{ name: string; caller: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`with seen as (${boardsSeenBy(param('caller'))})
      select a.id from agents a where ${isCalled(param('name'))} and a.is_active = 1 and a.deleted_at is null
        and ${isOnSeenBoard}
      limit 2`,
)

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text may name an agent: ids, and names of agents elsewhere, are stored unchanged. */
export const mayNameAgent = (text: unknown): text is string =>
  typeof text === 'string' && text.trim() !== '' && !uuid.test(text) && !text.startsWith('external:')

/**
 * The agents with a name that are on a board that the caller sees, or that it manages, or the caller; active ones first
 * and at most two, since an ambiguous name matches nobody. A new agent is on no board, and one that was switched off is
 * called by its name to be switched on (crew 8.1).
 */
const visibleByName = hot<{ name: string; caller: string }, { id: string; is_active: number }>(
  (_, param) =>
    sql<{
      id: string
      is_active: number
    }>`with recursive ${managedBy(param('caller'))}, seen as (${boardsSeenBy(param('caller'))})
      select a.id, a.is_active from agents a where ${isCalled(param('name'))} and a.deleted_at is null
        and (a.id = ${param('caller')} or a.id in (select id from managed)
          or ${isOnSeenBoard})
      order by a.is_active desc limit 2`,
)

/** Agents that a refusal suggests: those with the name first, which a caller can tell apart by their digits. */
interface Suggesting {
  caller: string
  name: string
  /** 1 to suggest agents that the caller manages, too, whether or not they are on a board. */
  managed: 0 | 1
}

const suggested = hot<Suggesting, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`with recursive ${managedBy(param('caller'))}, seen as (
        select id, owner_id from boards where owner_id = ${param('caller')}
        union select b.id, b.owner_id from grants g join boards b on b.id = g.board_id where g.agent_id = ${param('caller')}
        union select b.id, b.owner_id from shares s join boards b on b.id = s.board_id where s.user_id = ${param('caller')})
      select a.id from agents a where a.is_active = 1 and a.deleted_at is null
        and (a.id in (select owner_id from seen)
          or a.id in (select g.agent_id from grants g where g.board_id in (select id from seen))
          or a.id in (select s.user_id from shares s where s.board_id in (select id from seen))
          or (${param('managed')} = 1 and a.id in (select id from managed)))
      order by case when a.name = ${param('name')} then 0 else 1 end, a.id limit ${sql.lit(maxNames)}`,
)

/** The number of names that a refusal suggests. */
const maxNames = 10

/** Names of active agents that a caller may name, each as an input takes it; at most ten. */
export async function namesToSuggest(db: Db, suggesting: Suggesting): Promise<string[]> {
  const ids = (await suggested(db, suggesting)).map(({ id }) => id)
  return [...(await agentNamesOf(db, ids)).values()].toSorted()
}

/** The records that can have an assignee, by the parameter that addresses one. */
const assignable = {
  card_id: 'cards',
  spec_id: 'specs',
  ideation_id: 'ideations',
  refinement_id: 'refinements',
} as const

/** Whether the record that a call addresses already has a text as its assignee: such a value may be sent back. */
export async function isAssigned(db: Db, params: Readonly<Record<string, unknown>>, text: string): Promise<boolean> {
  for (const [param, table] of Object.entries(assignable)) {
    const id = params[param]
    if (typeof id !== 'string') continue
    const row = await db.selectFrom(table).select('assignee_id').where('id', '=', id).executeTakeFirst()
    return row?.assignee_id === text
  }
  return false
}

/**
 * The id of the assignee that a text names: `me`, or the one visible agent with this name or handle; otherwise the text
 * (crew 9.4, people 1.1).
 */
export async function assigneeOf(db: Db, text: string, caller: string): Promise<string> {
  if (text === 'me') return caller
  const found = await byName(db, { name: text, caller })
  return found.length === 1 ? found[0]!.id : text
}

/**
 * The id of the visible agent that a text names: the only active one with this name or handle, or where none is active,
 * the only one; otherwise the text (crew 8.1).
 */
export async function agentOf(db: Db, text: string, caller: string): Promise<string> {
  if (text === 'me') return caller
  const [first, second] = await visibleByName(db, { name: text, caller })
  return first === undefined || first.is_active === second?.is_active ? text : first.id
}

/** Members of a path, query or body that hold the id of an agent, and accept its name as well (crew 8.1). */
export const agentMembers = ['agent_id', 'actor_id', 'user_id'] as const
