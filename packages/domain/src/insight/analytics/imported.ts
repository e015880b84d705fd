/** Imported records are on the board but were not done here: no figure of work counts them (B.1, walls 5). */

import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { sameBoard } from '../../schema/same-board.ts'

/** Whether a record of an alias was imported. */
export const isImported = (alias: string): RawBuilder<unknown> =>
  sql`exists (select 1 from external_ids x where x.entity_id = ${sql.ref(`${alias}.id`)} and ${sameBoard('x', alias)})`

/**
 * Matches cards of an alias whose latest move was made here: cards that were created or moved here, but not those that
 * were imported in their current status, regardless of the times in the file.
 */
const isMovedHere = (alias: string): RawBuilder<unknown> => {
  const card = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`not exists (select 1 from external_ids x where x.entity_id = ${card('id')} and ${sameBoard('x', alias)}
    and (x.imported_at >= ${card('moved_at')} or not exists (
      select 1 from events m where m.card_id = ${card('id')} and ${sameBoard('m', alias)} and m.action = 'card_moved' and m.imported = 0)))`
}

/** Matches cards of an alias that were done here, not elsewhere before an import. */
export const isDoneHere = (alias: string): RawBuilder<unknown> =>
  sql`${sql.ref(`${alias}.status`)} = 'done' and ${isMovedHere(alias)}`

const conclusionsOf = (alias: string) => sql.ref<string | null>(`${alias}.conclusions`)

/** Whether the last conclusion of a card was imported: then none was written here, because imported ones come first. */
const isReportImported = (alias: string) => dialect.jsonLastFlag(conclusionsOf(alias), 'imported')

/** Matches cards of an alias with a conclusion that was written here. */
export const isReported = (alias: string): RawBuilder<unknown> =>
  sql`${conclusionsOf(alias)} <> '[]' and not ${isReportImported(alias)}`

/** A figure from the last conclusion of a card; null when none was written here. */
export const reported = (alias: string, member: 'completeness' | 'drift'): RawBuilder<number | null> =>
  sql`case when not ${isReportImported(alias)} then ${dialect.jsonLastNumber(conclusionsOf(alias), member)} end`

/**
 * Matches task validations of an alias that were submitted here: an imported one belongs to no validation round of its
 * card.
 */
export const isSubmitted = (alias: string): RawBuilder<unknown> => sql`${sql.ref(`${alias}.stay`)} <> 0`
