/**
 * The term index (knowledge-graph 2.3): which nodes contain a term. Only this file depends on the full-text search of
 * the database; this is the version for SQLite, with FTS5.
 */

import type { Json } from '@specboard/storage'
import { sql } from 'kysely'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { terms } from '../text/terms.ts'

/** Separates a board's ordinal from a term; the `ascii` tokenizer takes it for a letter, and no term contains it. */
const separator = '·'

const token = (boardOrdinal: number, term: string) => `${boardOrdinal}${separator}${term}`

const put = hot<{ ordinal: number; terms: string }, never>(
  (_, param) =>
    sql<never>`insert or replace into kg_terms (rowid, terms) values (${param('ordinal')}, ${param('terms')})`,
)

/** Stores the terms of a node. */
export async function indexNode(
  db: Db,
  boardOrdinal: number,
  node: { readonly ordinal: number; readonly title: string; readonly context: string; readonly content: string },
): Promise<void> {
  const all = new Set(terms(`${node.title}\n${node.context}\n${node.content}`))
  const tokens = [...all].map(term => token(boardOrdinal, term)).join(' ')
  await put(db, { ordinal: node.ordinal, terms: tokens })
}

const holding = hot<{ match: string }, { ordinals: Json<number[]> }>(
  (_, param) =>
    sql<{
      ordinals: Json<number[]>
    }>`select json_group_array(rowid) as ordinals from kg_terms where kg_terms match ${param('match')}`,
)

/** The ordinals of a board's nodes that contain a term. */
export async function nodesWith(db: Db, boardOrdinal: number, term: string): Promise<number[]> {
  const [row] = await holding(db, { match: `"${token(boardOrdinal, term)}"` })
  return parseJson(row!.ordinals)
}
