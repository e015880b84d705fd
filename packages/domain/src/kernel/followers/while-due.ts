import type { Db, ReadWrite } from '../../schema/database.ts'

/** Rows that are due, and the action that handles some of them at a time. */
interface DueRows {
  /** Maximum number of rows that one unit of work handles. */
  readonly atOnce: number
  readonly isAnyDue: (db: Db) => Promise<boolean>
  /** Handles at most `atOnce` rows, so that they are no longer due; returns how many it handled. */
  readonly act: (db: Db) => Promise<number>
}

/** Handles all rows that are due, some in each unit of work. Usually no row is due, and nothing is written. */
export async function whileDue(database: ReadWrite, { atOnce, isAnyDue, act }: DueRows): Promise<void> {
  const isAny = await database.read(isAnyDue)
  for (let count = isAny ? atOnce : 0; count === atOnce; ) count = await database.write(act)
}
