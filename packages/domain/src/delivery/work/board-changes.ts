import { dialect } from '@specboard/storage'
import { type Selectable, sql } from 'kysely'
import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import type { EventsTable } from '../../schema/tables.ts'
import type { DependencyLink } from '../cards/dependencies/cycle.ts'
import { isOpen } from '../cards/list/filters.ts'

/** The fields of an event log entry that say which records changed. */
export type BoardEvent = Pick<
  Selectable<EventsTable>,
  'id' | 'seq' | 'action' | 'entity_type' | 'entity_id' | 'card_id' | 'domain' | 'imported'
>

/** The events of a board from a sequence number on, inclusive. */
export const eventsFrom = hot<{ board: string; from: number; limit: number }, BoardEvent>((db, param) =>
  db
    .selectFrom('events')
    .select(['id', 'seq', 'action', 'entity_type', 'entity_id', 'card_id', 'domain', 'imported'])
    .where('board_id', '=', param('board'))
    .where('seq', '>=', param('from'))
    .orderBy('seq')
    .limit(param('limit')),
)

const newest = hot<{ board: string }, Pick<BoardEvent, 'id' | 'seq'>>((db, param) =>
  db.selectFrom('events').select(['id', 'seq']).where('board_id', '=', param('board')).orderBy('seq', 'desc').limit(1),
)

/** A board's last event. */
export const lastEvent = async (db: Db, board: string): Promise<Pick<BoardEvent, 'id' | 'seq'> | undefined> =>
  (await newest(db, { board }))[0]

/** The kinds of record that decide what can be started. */
type Kind = 'card' | 'spec' | 'sprint'

interface Tally {
  kind: Kind
  status: string
  archived: number
  count: number
}

const tallies = hot<{ board: string }, Tally>(
  (_, param) => sql<Tally>`select kind, status, archived, sum(count) as count from list_counts
    where board_id = ${param('board')} and kind in ('spec', 'sprint', 'card')
    group by kind, status, archived order by kind, status, archived`,
)

/** How many records of a board are in each status, by kind, as text. */
export type Tallies = Readonly<Record<Kind, string>>

/** The counts of a board's records. They reveal writes that bypassed the service, for which there are no events. */
export async function talliesOf(db: Db, board: string): Promise<Tallies> {
  const counted = { card: '', spec: '', sprint: '' }
  for (const { kind, status, archived, count } of await tallies(db, { board }))
    counted[kind] += `${status} ${archived} ${count} `
  return counted
}

/** The records that events name: everything that changed is among them. */
export interface NamedRecords {
  readonly cards: Set<string>
  readonly specs: Set<string>
  readonly sprints: Set<string>
}

/** What is recorded when somebody takes up or releases a card; claims are read with each call. */
const ofClaims: ReadonlySet<string | null> = new Set(['card_claimed', 'claim_renewed', 'claim_released'])

/**
 * The records that events name, as the written record or in their domain events: a write names every card whose own
 * fields or links it changes, except for the positions of those after a card that is inserted among them.
 * @returns undefined if one of them belongs to an import, which changes records without naming them
 */
export function namedBy(events: readonly BoardEvent[]): NamedRecords | undefined {
  const named: NamedRecords = { cards: new Set(), specs: new Set(), sprints: new Set() }
  for (const event of events) {
    if (event.imported === 1) return undefined
    if (!ofClaims.has(event.action)) nameThose(event, named)
  }
  return named
}

function nameThose(
  { entity_type, entity_id, card_id, domain }: BoardEvent,
  { cards, specs, sprints }: NamedRecords,
): void {
  if (entity_type === 'card') cards.add(entity_id)
  if (entity_type === 'spec') specs.add(entity_id)
  if (entity_type === 'sprint') sprints.add(entity_id)
  if (card_id !== null) cards.add(card_id)
  for (const event of parseNullable(domain) ?? []) {
    if (typeof event.card_id === 'string') cards.add(event.card_id)
    // The spec of a deleted sprint; an event of a card says nothing about its spec.
    if (entity_type === 'sprint' && typeof event.spec_id === 'string') specs.add(event.spec_id)
  }
}

/** Whether counts of records changed without an event that names one. */
export const changedUnnamed = (before: Tallies, after: Tallies, { cards, specs, sprints }: NamedRecords): boolean =>
  (cards.size === 0 && before.card !== after.card) ||
  (specs.size === 0 && before.spec !== after.spec) ||
  (sprints.size === 0 && specs.size === 0 && before.sprint !== after.sprint)

const specsOf = hot<{ board: string; sprints: string }, { spec_id: string }>((db, param) =>
  db
    .selectFrom('sprints')
    .select('spec_id')
    .where(eb => dialect.inList(eb.ref('id'), param('sprints')))
    .where(onBoard('sprints', param('board'))),
)

/** The specs of the sprints of a board that exist. */
export async function specsOfSprints(db: Db, board: string, sprints: ReadonlySet<string>): Promise<string[]> {
  if (sprints.size === 0) return []
  return (await specsOf(db, { board, sprints: JSON.stringify([...sprints]) })).map(row => row.spec_id)
}

interface GateRow {
  spec_id: string
  sprint_id: string
  status: string
  archived: number
}

const gateRows = hot<{ specs: string }, GateRow>(
  (_, param) => sql<GateRow>`select id as spec_id, '' as sprint_id, status, 0 as archived from specs
      where ${dialect.inList(sql.ref('id'), param('specs'))}
    union all select spec_id, id, status, archived from sprints
      where ${dialect.inList(sql.ref('spec_id'), param('specs'))}`,
)

/**
 * What the gates of cards depend on in each of some specs: its status, and its sprints with their statuses (cards 4.3).
 */
export async function gatesOf(db: Db, specs: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const rows = await gateRows(db, { specs: JSON.stringify([...specs]) })
  const lines = new Map<string, string[]>()
  for (const { spec_id, sprint_id, status, archived } of rows) {
    const line = `${sprint_id} ${status} ${archived}`
    const existing = lines.get(spec_id)
    if (existing === undefined) lines.set(spec_id, [line])
    else existing.push(line)
  }
  return new Map([...lines].map(([spec, gates]) => [spec, gates.sort().join()]))
}

const notStarted = hot<{ board: string; specs: string; limit: number }, { id: string }>(
  (_, param) => sql<{ id: string }>`select id from cards
    where ${onBoard('cards', param('board'))} and archived = 0 and status = 'not_started'
      and (${dialect.inList(sql.ref('spec_id'), param('specs'))} or sprint_id in (select s.id from sprints s
        where ${dialect.inList(sql.ref('s.spec_id'), param('specs'))} and ${onBoard('s', param('board'))}))
    limit ${param('limit')}`,
)

/** The cards in `not_started` whose gates depend on some specs of a board or on their sprints, up to a limit. */
export async function notStartedOf(db: Db, board: string, specs: readonly string[], limit: number): Promise<string[]> {
  if (specs.length === 0) return []
  return (await notStarted(db, { board, specs: JSON.stringify(specs), limit })).map(row => row.id)
}

const linksAt = hot<{ board: string; cards: string }, DependencyLink>((_, param) => {
  const between = (end: 'card_id' | 'depends_on_id') => sql`select d.card_id, d.depends_on_id
    from ${dialect.jsonElements(sql`${param('cards')}`)} as named cross join card_dependencies d
      cross join cards own cross join cards awaited
    where d.${sql.ref(end)} = named.value and ${onBoard('d', param('board'))}
      and own.id = d.card_id and ${sameBoard('own', 'd')} and ${isOpen('own')}
      and awaited.id = d.depends_on_id and ${sameBoard('awaited', 'd')} and ${isOpen('awaited')}`
  return sql<DependencyLink>`${between('card_id')} union ${between('depends_on_id')}`
})

/** The links between open cards of a board that start or end at some cards. */
export const linksOf = (db: Db, board: string, cards: Iterable<string>): Promise<DependencyLink[]> =>
  linksAt(db, { board, cards: JSON.stringify([...cards]) })

/** A card in the column `not_started`, with its place there. */
interface InColumn {
  id: string
  position: number
  created_at: string
  spec_id: string | null
}

const column = hot<Pick<InColumn, 'id' | 'position' | 'created_at'> & { board: string; limit: number }, InColumn>(
  (_, param) => sql<InColumn>`select id, position, created_at, spec_id from cards
    where board_id = ${param('board')} and status = 'not_started' and archived = 0
      and (position, created_at, id) > (${param('position')}, ${param('created_at')}, ${param('id')})
    order by position, created_at, id limit ${param('limit')}`,
)

/** The position before all cards of a column. */
const start = { id: '', position: Number.MIN_SAFE_INTEGER, created_at: '' }

/** The next cards of the column `not_started`, in its order (cards 4.6). */
export const columnAfter = (db: Db, board: string, last: InColumn | undefined, limit: number): Promise<InColumn[]> => {
  const { id, position, created_at } = last ?? start
  return column(db, { board, id, position, created_at, limit })
}

const positions = hot<{ board: string; ids: string }, { id: string; position: number }>((db, param) =>
  db
    .selectFrom('cards')
    .select(['id', 'position'])
    .where(eb => dialect.inList(eb.ref('id'), param('ids')))
    .where(onBoard('cards', param('board'))),
)

/** The positions of some cards of a board. */
export async function positionsOf(db: Db, board: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  return new Map((await positions(db, { board, ids: JSON.stringify(ids) })).map(row => [row.id, row.position]))
}

/** An open card, with each card that it waits for; once with null if it waits for none. */
interface OpenCard {
  readonly card_id: string
  readonly depends_on_id: string | null
}

const openCards = hot<{ board: string; after: string; limit: number }, OpenCard>(
  (_, param) =>
    sql<OpenCard>`select open.id as card_id, d.depends_on_id from (
        select id from cards where board_id = ${param('board')} and id > ${param('after')} and ${isOpen('cards')}
        order by id limit ${param('limit')}
      ) open left join card_dependencies d on d.card_id = open.id and ${onBoard('d', param('board'))}`,
)

/** The next open cards by id, with their links. */
export const openCardsAfter = (db: Db, board: string, after: string, limit: number): Promise<OpenCard[]> =>
  openCards(db, { board, after, limit })
