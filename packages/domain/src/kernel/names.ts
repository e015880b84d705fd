import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import { partRef } from '../schema/refs.ts'
import { tables } from '../schema/tables/all.ts'
import type { Context } from './context.ts'
import { refsOf } from './references.ts'

interface AgentName {
  readonly id: string
  readonly name: string
}

const boardKeys = hot<{ ids: string }, AgentName>((_, param) => {
  const among = dialect.inList(sql.ref('b.id'), param('ids'))
  return sql<AgentName>`select b.id, b.key as name from boards b where ${among}`
})

/** The last digits of an id, after a space, which distinguish agents with the same name. */
const idEnd = (id: string): string => ` ${id.slice(-4)}`

const agentNames = hot<{ ids: string }, AgentName & { readonly twins: number }>((_, param) => {
  const among = dialect.inList(sql.ref('a.id'), param('ids'))
  const twins = sql`(select count(*) from agents o
    where o.name = a.name and o.id <> a.id and o.is_active = 1 and o.deleted_at is null)`
  return sql<
    AgentName & { readonly twins: number }
  >`select a.id, a.name, ${twins} as twins from agents a where ${among}`
})

const withEnd = ({ id, name, twins }: AgentName & { readonly twins: number }) =>
  [id, twins > 0 ? name + idEnd(id) : name] as const

/** The names of agents by id, those of others of the same name with the last digits of their ids (crew 8.1). */
export const agentNamesOf = async (db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> =>
  new Map((await agentNames(db, { ids: JSON.stringify([...ids]) })).map(withEnd))

const partRefs = hot<{ ids: string }, AgentName>((_, param) => {
  const parts = tables
    .filter(({ part }) => part !== undefined)
    .map(
      table =>
        sql`select id, ${partRef(table)} as name from ${sql.table(table.name)}
          where ${dialect.inList(sql.ref('id'), param('ids'))}`,
    )
  return sql<AgentName>`${sql.join(parts, sql` union all `)}`
})

/**
 * The references of parts of records, by id, without those of verdicts, which are numbered by position, and of a card's
 * knowledge.
 */
export const partRefsOf = async (db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> =>
  new Map((await partRefs(db, { ids: JSON.stringify([...new Set(ids)]) })).map(({ id, name }) => [id, name]))

/** The names for ids: those of agents, and those of what is on boards. */
async function namesByKind(db: Db, ids: Iterable<string>) {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return { ofAgents: [], onBoards: [] }
  const json = { ids: JSON.stringify(distinct) }
  const [records, boards, agents, parts] = await Promise.all([
    refsOf(db, distinct),
    boardKeys(db, json),
    agentNames(db, json),
    partRefs(db, json),
  ])
  return {
    ofAgents: agents.map(withEnd),
    onBoards: [...[...boards, ...parts].map(({ id, name }) => [id, name] as const), ...records],
  }
}

/**
 * The names by which lean answers refer to the records, parts, boards and agents with these ids (crew 8.1): references,
 * keys, and names of agents, with the last digits of the id if another active agent has the same name. Other ids are
 * left out.
 */
export async function namesOf(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const { ofAgents, onBoards } = await namesByKind(db, ids)
  return new Map([...ofAgents, ...onBoards])
}

/** The key that a reference of a record or part begins with, or that of a board. */
const keyIn = (name: string): string => name.slice(0, (name.indexOf('-') + 1 || name.length + 1) - 1)

/** The names in a refusal, without boards that the caller does not see but whose ids it may have sent (crew 8.1). */
export async function namesSeen(ctx: Context, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const { ofAgents, onBoards } = await namesByKind(ctx.db, ids)
  if (onBoards.length === 0) return new Map(ofAgents)
  const visible = JSON.stringify((await ctx.ways()).map(({ boardId }) => boardId))
  const keys = new Set((await boardKeys(ctx.db, { ids: visible })).map(({ name }) => name))
  return new Map([...ofAgents, ...onBoards.filter(([, name]) => keys.has(keyIn(name)))])
}
