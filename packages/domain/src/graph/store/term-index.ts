/**
 * The term index (knowledge-graph 2.3): which nodes hold a term. What differs between the databases in
 * full text is here and nowhere else; this is the half of the embedded database, over FTS5.
 */

import type { Json } from '@specboard/storage'
import { sql } from 'kysely'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { terms } from '../text/terms.ts'

/** Stands between a board's ordinal and a term; it is a letter to the `ascii` tokenizer and in no term. */
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

/** The ordinals of a board's nodes that hold a term. */
export async function nodesWith(db: Db, boardOrdinal: number, term: string): Promise<number[]> {
  const [row] = await holding(db, { match: `"${token(boardOrdinal, term)}"` })
  return parseJson(row!.ordinals)
}
