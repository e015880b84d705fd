import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { byCodePoint } from '../../../lib/text-order.ts'
import type { Db } from '../../../schema/database.ts'
import { hot } from '../../../schema/hot.ts'
import type { AgentsTable, ImportedNamesTable } from '../../../schema/tables.ts'

/** The columns that name who made, changed or reviewed something, by table. */
const authoring = {
  ideations: ['created_by'],
  refinements: ['created_by'],
  specs: ['created_by'],
  sprints: ['created_by'],
  cards: ['created_by', 'moved_by'],
  questions: ['asked_by', 'answered_by'],
  comments: ['author_id'],
  attachments: ['uploaded_by'],
  knowledge: ['created_by'],
  architecture_designs: ['created_by'],
  task_validations: ['submitted_by', 'reviewer_id'],
  spec_validations: ['reviewer_id'],
} as const

/** The tables whose records are assigned to somebody. */
const assigning = ['ideations', 'refinements', 'specs', 'cards'] as const

const naming = [
  ...Object.entries(authoring).flatMap(([table, names]) => names.map(column => ({ table, column, assigned: 0 }))),
  ...assigning.map(table => ({ table, column: 'assignee_id', assigned: 1 })),
]

type Places = typeof naming

/** Everybody named in some columns of a board's tables, and whether the column assigns something to them. */
const namedIn = (places: Places, board: unknown) =>
  sql.join(
    places.map(
      ({ table, column, assigned }) =>
        sql`select ${sql.ref(column)} as id, ${sql.lit(assigned)} as assigned from ${sql.table(table)}
          where board_id = ${board} and ${sql.ref(column)} is not null`,
    ),
    sql` union all `,
  )

const named = hot<{ board: string }, { id: string }>(
  (_, param) => sql<{ id: string }>`select distinct id from (${namedIn(naming, param('board'))}) named`,
)

/** The names in the records of a board: an agent's id, or the text itself. */
export const namedOnBoard = async (db: Db, board: string): Promise<string[]> =>
  (await named(db, { board })).map(({ id }) => id)

/** How often the records of a board name somebody who is not an agent. */
export interface NameCount {
  readonly id: string
  readonly assigned: number
  readonly authored: number
}

/** Everybody named in some columns of one table, and how often. */
const countedIn = (places: Places) =>
  hot<{ board: string }, { id: string; assigned: number; total: number }>(
    (_, param) =>
      sql<{ id: string; assigned: number; total: number }>`select named.id, sum(named.assigned) as assigned,
          count(*) as total
        from (${namedIn(places, param('board'))}) named
        group by named.id`,
  )

const countedByTable = [...Map.groupBy(naming, ({ table }) => table).values()].map(countedIn)

/**
 * The imported names in the records of a board by id, with their number of occurrences. Reads every record, one table
 * at a time.
 * @param pause awaited between two tables
 */
export async function importedNamesOn(
  db: Db,
  board: string,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<NameCount[]> {
  const names = new Map<string, NameCount>()
  for (const counted of countedByTable) {
    for (const { id, assigned, total } of await counted(db, { board })) {
      const before = names.get(id) ?? { id, assigned: 0, authored: 0 }
      const assignedHere = Number(assigned)
      names.set(id, {
        id,
        assigned: before.assigned + assignedHere,
        authored: before.authored + Number(total) - assignedHere,
      })
    }
    await pause()
  }
  const agents = await agentsById(db, [...names.keys()])
  return [...names.values()].filter(({ id }) => !agents.has(id)).toSorted((one, other) => byCodePoint(one.id, other.id))
}

const decided = hot<{ board: string }, ImportedNamesTable>((db, param) =>
  db.selectFrom('imported_names').selectAll().where('board_id', '=', param('board')),
)

/** What was decided about the names of a board, by name. */
export const decisionsOn = async (db: Db, board: string): Promise<ReadonlyMap<string, ImportedNamesTable>> =>
  new Map((await decided(db, { board })).map(row => [row.name, row]))

/** The fields of a principal that are needed where a name may refer to it. */
export type NamedAgent = Pick<AgentsTable, 'id' | 'name' | 'kind' | 'handle'>

const agents = hot<{ ids: string }, NamedAgent>((db, param) =>
  db
    .selectFrom('agents')
    .select(['id', 'name', 'kind', 'handle'])
    .where(eb => dialect.inList(eb.ref('id'), param('ids'))),
)

/** The agents with these ids, including deleted ones. */
export const agentsById = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, NamedAgent>> =>
  new Map(ids.length === 0 ? [] : (await agents(db, { ids: JSON.stringify(ids) })).map(agent => [agent.id, agent]))

/** Revokes the decision about a name. */
export const removeDecision = (db: Db, board: string, name: string): Promise<unknown> =>
  db.deleteFrom('imported_names').where('board_id', '=', board).where('name', '=', name).execute()

/** Merges the names that were merged into `from` into `to` instead. */
export const followInto = (db: Db, board: string, from: string, to: string): Promise<unknown> =>
  db
    .updateTable('imported_names')
    .set({ merged_into: to })
    .where('board_id', '=', board)
    .where('merged_into', '=', from)
    .execute()
