import { groupOf } from '@specboard/storage'
import type { Db } from './database.ts'

/** Rows that are written in one turn of the event loop. */
const atOnce = 200

/**
 * Runs a write for many items in pieces, in one unit of work; returns what each piece gave. Between two of them the
 * event loop turns, so that nobody who reads waits for the whole of it (trust 1).
 *
 * @example
 * await inPieces(db, ids, piece => db.deleteFrom('cards').where('id', 'in', piece).execute())
 */
export async function inPieces<Item, Value>(
  db: Db,
  items: readonly Item[],
  write: (piece: readonly Item[]) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = []
  for (let from = 0; from < items.length; from += atOnce) {
    if (from > 0) await groupOf(db).turn()
    values.push(await write(items.slice(from, from + atOnce)))
  }
  return values
}
