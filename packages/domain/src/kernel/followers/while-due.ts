import type { Db, ReadWrite } from '../../schema/database.ts'

/** Rows whose time is over, and what happens to some of them at a time. */
interface DueRows {
  /** Maximum number of rows that one unit of work deals with. */
  readonly atOnce: number
  readonly isAnyDue: (db: Db) => Promise<boolean>
  /** Deals with at most `atOnce` rows, so that they are not due again; returns how many they were. */
  readonly act: (db: Db) => Promise<number>
}

/** Deals with all rows that are due, some in each unit of work. Most of the time none is, and nothing is written. */
export async function whileDue(database: ReadWrite, { atOnce, isAnyDue, act }: DueRows): Promise<void> {
  const isAny = await database.read(isAnyDue)
  for (let count = isAny ? atOnce : 0; count === atOnce; ) count = await database.write(act)
}
