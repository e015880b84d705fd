import { groupOf } from '@specboard/storage'
import type { Db } from './database.ts'

/**
 * Counts the steps of a unit of work whose number is not known beforehand, and yields to the event loop after every
 * 100.
 *
 * @example
 * const step = turning(db)
 * for (const row of rows) {
 *   await step()
 *   await insertRow(db, 'cards', row)
 * }
 */
export function turning(db: Db, stepsAtOnce = 100): () => Promise<void> | undefined {
  let steps = 0
  return () => (++steps % stepsAtOnce === 0 ? groupOf(db).turn() : undefined)
}

/** The number of rows that are written in one turn of the event loop. */
const atOnce = 200

/**
 * Runs a write for many items in pieces, in one unit of work; returns the result of each piece. It yields to the event
 * loop between pieces, so that readers do not wait for the whole write (trust 1).
 *
 * @example
 * await inPieces(db, ids, piece => db.deleteFrom('cards').where('id', 'in', piece).execute())
 */
export async function inPieces<Item, Value>(
  db: Db,
  items: readonly Item[],
  write: (piece: readonly Item[]) => Promise<Value>,
  itemsAtOnce = atOnce,
): Promise<Value[]> {
  const values: Value[] = []
  for (let from = 0; from < items.length; from += itemsAtOnce) {
    if (from > 0) await groupOf(db).turn()
    values.push(await write(items.slice(from, from + itemsAtOnce)))
  }
  return values
}
