import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { ActorVia, AgentsTable, NumberedTable } from '../../schema/tables.ts'
import type { WaitingItem } from './rules.ts'
import { isAsked, recordsOf, type Selection, type Source } from './source.ts'

/** The fields of a record that its items show. */
export interface ShownRecord {
  id: string
  /** Null if it belongs to no board. */
  board_key: string | null
  ref: string | null
  title: string
  status: string
}

const recordsIn = (table: NumberedTable) =>
  hot<Selection, ShownRecord>(
    (_, param) =>
      sql<ShownRecord>`select r.id, (select key from boards where boards.id = r.board_id) as board_key,
          ${refOf('r')} as ref, r.title, r.status
        from ${sql.table(table)} r where ${isAsked('r', param)}`,
  )

const webhooks = hot<Selection, ShownRecord>(
  (_, param) =>
    sql<ShownRecord>`select w.id, (select key from boards where boards.id = w.board_id) as board_key,
        null as ref, w.url as title, 'failing' as status
      from webhooks w where ${isAsked('w', param)}`,
)

const repositories = hot<Selection, ShownRecord>(
  (_, param) =>
    sql<ShownRecord>`select r.id, (select key from boards where boards.id = r.board_id) as board_key,
        null as ref, r.name as title, case when r.active = 1 then 'active' else 'inactive' end as status
      from repositories r where ${isAsked('r', param)}`,
)

const boards = hot<Selection, ShownRecord>(
  (_, param) =>
    sql<ShownRecord>`select b.id, b.key as board_key, b.key as ref, b.name as title, 'active' as status
      from boards b where ${dialect.inList(sql.ref('b.id'), param('ids'))}`,
)

const connections = hot<Selection, ShownRecord>(
  (_, param) =>
    sql<ShownRecord>`select c.id, null as board_key, null as ref, c.client_name as title, 'ended' as status
      from connections c where ${dialect.inList(sql.ref('c.id'), param('ids'))}`,
)

const keys = hot<{ ids: string }, { id: string; key: string }>((db, param) =>
  db
    .selectFrom('boards')
    .select(['id', 'key'])
    .where(eb => dialect.inList(eb.ref('id'), param('ids'))),
)

/** The keys of boards, by id. */
export async function keysOfBoards(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await keys(db, { ids: JSON.stringify([...new Set(ids)]) })
  return new Map(rows.map(({ id, key }) => [id, key]))
}

const records: Readonly<Record<Source['about'], ReturnType<typeof recordsIn>>> = {
  ideation: recordsIn('ideations'),
  refinement: recordsIn('refinements'),
  spec: recordsIn('specs'),
  sprint: recordsIn('sprints'),
  card: recordsIn('cards'),
  webhook: webhooks,
  repository: repositories,
  board: boards,
  connection: connections,
}

/** The records of items of one kind, by id. */
export async function recordsOfItems(
  db: Db,
  about: Source['about'],
  items: readonly WaitingItem[],
): Promise<ReadonlyMap<string, ShownRecord>> {
  const rows = await records[about](db, recordsOf(items))
  return new Map(rows.map(row => [row.id, row]))
}

/** Who caused an item. */
type Actor = Pick<AgentsTable, 'id' | 'name' | 'kind'>

const actors = hot<{ ids: string }, Actor>((db, param) =>
  db
    .selectFrom('agents')
    .select(['id', 'name', 'kind'])
    .where(eb => dialect.inList(eb.ref('id'), param('ids'))),
)

/** The names and kinds of agents, including deleted ones, by id. */
export async function actorsOf(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, Actor>> {
  const rows = await actors(db, { ids: JSON.stringify([...new Set(ids)]) })
  return new Map(rows.map(row => [row.id, row]))
}

/** Something that an agent caused on a record, at a time. */
interface CausedEvent {
  readonly record: string
  readonly board: string
  readonly actor: string
  readonly since: string
}

/** A member of the current element of the list. */
const member = (name: keyof CausedEvent) => dialect.jsonText(sql.ref<string>('caused.value'), name)

const ways = hot<{ caused: string }, { via: ActorVia | null }>(
  (_, param) =>
    sql<{ via: ActorVia | null }>`select (select e.actor_via from events e
          where e.entity_id = ${member('record')} and ${onBoard('e', member('board'))} and e.actor_id = ${member('actor')}
            and e.created_at <= ${member('since')}
          order by e.seq desc limit 1) as via
        from ${dialect.jsonElements(sql`${param('caused')}`)} caused order by caused.key`,
)

/** How the actors authenticated for their last entry on a record up to a time, in the order of the list. */
export async function waysOf(db: Db, caused: readonly CausedEvent[]): Promise<readonly (ActorVia | null)[]> {
  return (await ways(db, { caused: JSON.stringify(caused) })).map(({ via }) => via)
}
