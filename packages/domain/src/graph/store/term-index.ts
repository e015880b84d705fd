/**
 * The term index (knowledge-graph 2.3): which nodes contain a term. Only this file depends on the full-text search of
 * the database: FTS5 in SQLite, an inverted index over the terms in PostgreSQL.
 */

import { dialect, type Json, perDialect } from '@specboard/storage'
import { sql } from 'kysely'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { terms } from '../text/terms.ts'

/** Separates a board's ordinal from a term; the `ascii` tokenizer treats it as a letter, and no term contains it. */
const separator = '·'

const token = (boardOrdinal: number, term: string) => `${boardOrdinal}${separator}${term}`

const put = hot<{ ordinal: number; terms: string }, never>(
  (_, param) =>
    sql<never>`${perDialect(
      sql`insert or replace into kg_terms (rowid, terms) values (${param('ordinal')}, ${param('terms')})`,
      sql`insert into kg_terms (ordinal, terms) values (${param('ordinal')}, string_to_array(${param('terms')}, ' '))
        on conflict (ordinal) do update set terms = excluded.terms`,
    )}`,
)

/** A node with the texts that its terms are taken from. */
interface IndexedNode {
  readonly ordinal: number
  readonly title: string
  readonly context: string
  readonly content: string
}

/** Stores the terms of a node. */
export async function indexNode(db: Db, boardOrdinal: number, node: IndexedNode): Promise<void> {
  await put(db, { ordinal: node.ordinal, terms: tokensOf(boardOrdinal, node) })
}

function tokensOf(boardOrdinal: number, { title, context, content }: Omit<IndexedNode, 'ordinal'>): string {
  const all = new Set(terms(`${title}\n${context}\n${content}`))
  return [...all].map(term => token(boardOrdinal, term)).join(' ')
}

const putMany = hot<{ rows: string }, never>(
  (_, param) =>
    sql<never>`${perDialect(
      sql`insert into kg_terms (rowid, terms)
        select value ->> '$.ordinal', value ->> '$.terms' from json_each(${param('rows')})`,
      sql`insert into kg_terms (ordinal, terms) select ordinal, string_to_array(terms, ' ')
        from jsonb_to_recordset(${param('rows')}::jsonb) as r (ordinal integer, terms text)`,
    )}`,
)

/** How many nodes are read at once. */
const pageSize = 500

/** Stores the terms of all nodes in an index that is still empty. */
export async function indexAllNodes(db: Db): Promise<void> {
  const boards = await db.selectFrom('kg_boards').select(['board_id', 'ordinal']).execute()
  const ordinals = new Map(boards.map(({ board_id, ordinal }) => [board_id, ordinal]))
  for (let after = 0; ; ) {
    const nodes = await db
      .selectFrom('kg_nodes')
      .select(['ordinal', 'board_id', 'title', 'context', 'content'])
      .where('ordinal', '>', after)
      .orderBy('ordinal')
      .limit(pageSize)
      .execute()
    const rows = nodes.map(node => ({ ordinal: node.ordinal, terms: tokensOf(ordinals.get(node.board_id)!, node) }))
    await putMany(db, { rows: JSON.stringify(rows) })
    if (nodes.length < pageSize) return
    after = nodes.at(-1)!.ordinal
  }
}

const holding = hot<{ token: string }, { ordinals: Json<number[]> }>(
  (_, param) =>
    sql<{ ordinals: Json<number[]> }>`select ${dialect.jsonCollect(perDialect(sql`rowid`, sql`ordinal`))} as ordinals
      from kg_terms where ${perDialect(
        sql`kg_terms match '"' || ${param('token')} || '"'`,
        sql`terms @> array[${param('token')}]`,
      )}`,
)

/** The ordinals of a board's nodes that contain a term. */
export async function nodesWith(db: Db, boardOrdinal: number, term: string): Promise<number[]> {
  const [row] = await holding(db, { token: token(boardOrdinal, term) })
  return parseJson(row!.ordinals)
}
