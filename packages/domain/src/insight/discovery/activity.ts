import { dialect } from '@specboard/storage'
import { type NotNull, type RawBuilder, type Selectable, sql } from 'kysely'
import { parseNullable } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { EventsTable } from '../../schema/tables.ts'
import { type Entity, leadingTo, type QuestionResult } from './result.ts'

const maxRows = 50

type EntryRow = Pick<
  Selectable<EventsTable>,
  'id' | 'card_id' | 'actor_id' | 'actor_name' | 'actor_type' | 'actor_via' | 'details' | 'created_at'
> & {
  action: string
  readonly imported: Flag
}
type Details = Readonly<Record<string, unknown>>

const newest = hot<{ board: string }, EntryRow>((db, param) =>
  db
    .selectFrom('events')
    .select(['id', 'action', 'card_id', 'actor_id', 'actor_name', 'actor_type', 'actor_via', 'details'])
    .select(['created_at', 'imported'])
    .where('board_id', '=', param('board'))
    .where('action', 'is not', null)
    .$narrowType<{ action: NotNull }>()
    .orderBy('seq', 'desc')
    .limit(maxRows),
)

const counted = hot<{ board: string }, { count: number }>((db, param) =>
  db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board'))
    .where('action', 'is not', null),
)

/** The members of an entry's details that identify its record; the first one present counts. */
const naming = ['sprint_id', 'refinement_id', 'spec_id', 'ideation_id', 'parent_id', 'entity_id'] as const

/** The id of the record that an entry is about; null for those about the board itself. */
export const subjectOf = (cardId: string | null, details: Details | null): string | null =>
  cardId ?? (naming.map(name => details?.[name]).find(id => typeof id === 'string') as string | undefined) ?? null

const tables = { card: 'cards', sprint: 'sprints', refinement: 'refinements', spec: 'specs', ideation: 'ideations' }

/** The records of a board with these ids, of any kind. */
async function entitiesOf(db: Db, boardId: string, ids: readonly string[]): Promise<Map<string, Entity>> {
  const json = JSON.stringify(ids)
  const parts = Object.entries(tables).map(
    ([type, table]) =>
      sql`select ${sql.lit(type)} as type, id, title from ${sql.table(table)}
        where board_id = ${boardId} and ${dialect.inList(sql.ref('id'), json)}`,
  )
  const query: RawBuilder<Entity> = sql.join(parts, sql` union all `)
  const { rows } = await query.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

/** The board's latest activity, newest first. */
export async function recentActivity(db: Db, boardId: string): Promise<QuestionResult> {
  const entries = (await newest(db, { board: boardId })).map(entry => ({
    ...entry,
    details: parseNullable(entry.details),
  }))
  const subjects = entries.map(({ card_id, details }) => subjectOf(card_id, details))
  const entities = await entitiesOf(db, boardId, [...new Set(subjects.filter(id => id !== null))])
  const rows = entries.map(({ id, action, details, imported, ...entry }, index) => {
    const subject = subjects[index] ?? null
    const entity = subject === null ? undefined : entities.get(subject)
    const words = wordsOf(action)
    const from_status = statusIn(details, 'from_status')
    const to_status = statusIn(details, 'to_status')
    const move = to_status === null ? '' : ` (${from_status ?? 'new'} to ${to_status})`
    return {
      id,
      type: action,
      title: entity?.title ?? words,
      summary: `${entry.actor_name}: ${words.toLowerCase()}${move}`,
      meta: {
        ...leadingTo(entity ?? null),
        entity_id: subject,
        action,
        ...entry,
        from_status,
        to_status,
        details,
        ...(imported === 1 && { imported: true }),
      },
    }
  })
  return { rows, total: (await counted(db, { board: boardId }))[0]!.count }
}

/** An action in words: `card_moved` becomes "Card moved". */
const wordsOf = (action: string): string => {
  const words = action.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const statusIn = (details: Details | null, name: string): string | null => {
  const status = details?.[name]
  return typeof status === 'string' ? status : null
}
