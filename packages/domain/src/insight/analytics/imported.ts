/** What came with an import is on the board but was not done here: no figure of work counts it (B.1, walls 5). */

import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'

/** Whether a record of an alias came with an import. */
export const isImported = (alias: string): RawBuilder<unknown> =>
  sql`exists (select 1 from external_ids x where x.entity_id = ${sql.ref(`${alias}.id`)})`

/**
 * Matches cards of an alias whose latest move was made here: none that came as it stands, whatever time its file gives
 * it, and each that was made or moved here.
 */
const isMovedHere = (alias: string): RawBuilder<unknown> => {
  const card = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`not exists (select 1 from external_ids x where x.entity_id = ${card('id')}
    and (x.imported_at >= ${card('moved_at')} or not exists (
      select 1 from events m where m.card_id = ${card('id')} and m.action = 'card_moved' and m.imported = 0)))`
}

/** Matches cards of an alias that were done here, not elsewhere before an import. */
export const isDoneHere = (alias: string): RawBuilder<unknown> =>
  sql`${sql.ref(`${alias}.status`)} = 'done' and ${isMovedHere(alias)}`

const conclusionsOf = (alias: string) => sql.ref<string | null>(`${alias}.conclusions`)

/** Whether the last conclusion of a card came with an import: none was written here, as imported ones come first. */
const isReportImported = (alias: string) => dialect.jsonLastFlag(conclusionsOf(alias), 'imported')

/** Matches cards of an alias with a conclusion that was written here. */
export const isReported = (alias: string): RawBuilder<unknown> =>
  sql`${conclusionsOf(alias)} <> '[]' and not ${isReportImported(alias)}`

/** What the last conclusion of a card reports; null when none was written here. */
export const reported = (alias: string, member: 'completeness' | 'drift'): RawBuilder<number | null> =>
  sql`case when not ${isReportImported(alias)} then ${dialect.jsonLastNumber(conclusionsOf(alias), member)} end`

/** Matches task validations of an alias that were submitted here: an imported one belongs to no stay of its card. */
export const isSubmitted = (alias: string): RawBuilder<unknown> => sql`${sql.ref(`${alias}.stay`)} <> 0`
