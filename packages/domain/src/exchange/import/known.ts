import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import type { ExternalIdsTable } from '../../schema/tables.ts'
import { kindOf, type RecordType } from '../kinds/kinds.ts'
import type { Row } from './rows.ts'

/** What a board knows of a record that was imported before. */
export interface Known {
  readonly entity_id: string
  /** The digests of the values that were imported last, by field. */
  readonly imported: Readonly<Record<string, string>>
}

const listOf = (ids: readonly string[]) => sql.val(JSON.stringify(ids))

/** The records of a source that a board knows, by external id. */
export async function knownBy(
  db: Db,
  board: string,
  source: string,
  ids: readonly string[],
): Promise<Map<string, Known>> {
  const { rows } = await sql<Pick<ExternalIdsTable, 'external_id' | 'entity_id' | 'imported'>>`
    select external_id, entity_id, imported from external_ids
    where board_id = ${board} and source = ${source}
      and ${dialect.inList(sql.ref('external_id'), listOf(ids))}`.execute(db)
  return new Map(
    rows.map(({ external_id, entity_id, imported }) => [external_id, { entity_id, imported: parseJson(imported) }]),
  )
}

/** Rows with ids, wherever they stand, by id; those of `board` whole, of others only `id` and `board_id`. */
export async function standing(
  db: Db,
  board: string,
  type: RecordType,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  if (type === 'external_id') return new Map()
  const { table } = kindOf.get(type)!
  const boardColumn = type === 'board' ? sql.ref('id') : sql.ref('board_id')
  const { rows } = await sql<Row & { id: string }>`select *, ${boardColumn} as board_id from ${sql.table(table)}
    where ${dialect.inList(sql.ref('id'), listOf(ids))}`.execute(db)
  const found = new Map(rows.map(row => [row.id, row as Row]))
  if (type !== 'knowledge') return found
  for (const [id, row] of await onCards(db, board, ids)) found.set(id, row)
  return found
}

/** Knowledge that stands on the cards of a board, as rows of knowledge. */
async function onCards(db: Db, board: string, ids: readonly string[]): Promise<[string, Row][]> {
  const item = (name: string) => dialect.jsonText(sql.ref<string>('k.value'), name)
  const { rows } = await sql<{ card: string; item: string }>`select cards.id as card, k.value as item
    from cards, ${dialect.jsonElements(sql.ref<string | null>('cards.knowledge_bases'))} k
    where cards.board_id = ${board} and cards.knowledge_bases <> '[]'
      and ${dialect.inList(item('id'), listOf(ids))}`.execute(db)
  return rows.map(({ card, item: text }) => {
    const { author_id, ...stored } = JSON.parse(text) as Row
    return [
      String(stored.id),
      { ...stored, board_id: board, owner_type: 'card', owner_id: card, created_by: author_id },
    ]
  })
}

/** Which of some numbers records of a board have. */
export async function numbersTaken(db: Db, board: string, numbers: readonly number[]): Promise<Set<number>> {
  const tables = ['ideations', 'refinements', 'specs', 'sprints', 'cards']
  const { rows } = await sql<{ number: number }>`${sql.join(
    tables.map(
      table => sql`select number from ${sql.table(table)} where board_id = ${board}
        and ${dialect.inNumbers(sql.ref('number'), JSON.stringify(numbers))}`,
    ),
    sql` union all `,
  )}`.execute(db)
  return new Set(rows.map(({ number }) => number))
}

/** The names of the saved searches of a board. */
export async function searchNames(db: Db, board: string): Promise<Set<string>> {
  const rows = await db.selectFrom('saved_searches').select('name').where('board_id', '=', board).execute()
  return new Set(rows.map(({ name }) => name))
}
