import { sql } from 'kysely'
import { perDialect } from './dialect.ts'
import type { Counter } from './group.ts'

/** How many numbers of a counter one PostgreSQL transaction can assign: those between its id and the next one. */
export const numbersOfTransaction = 1_024

const bits = Math.log2(numbersOfTransaction)

/** The first number that the transaction of a unit of work can assign, in addition to those of the counter's row. */
export const firstOfTransaction = `(pg_current_xact_id()::text::bigint << ${bits})`

/**
 * The number up to which everything counted in commit order is settled: whatever has this number or a lower one is
 * visible, and nothing with such a number can still be added. On PostgreSQL, where units of work do not end in the
 * order in which they begin, it depends on the oldest running transaction.
 */
export const settledUpTo = ({ table, column, id }: Counter, row: string) => {
  const counted = sql`(select ${sql.ref(column)} from ${sql.table(table)} where ${sql.ref(id)} = ${sql.lit(row)})`
  const oldest = sql.raw(`(pg_snapshot_xmin(pg_current_snapshot())::text::bigint << ${bits}) - 1`)
  return perDialect<number>(counted, sql`(${counted} + ${oldest})`)
}
