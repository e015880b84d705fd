/** The tiers that records had when they were moved to `done` (evidence 7, rule 4). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { boardSettings } from '../../kernel/board-settings.ts'
import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type { DoneTiersTable } from '../../schema/tables.ts'
import type { RecordProof } from './judges.ts'
import type { ProofSettings } from './rules.ts'
import { tierOfProof } from './shown.ts'
import type { Tier } from './tiers.ts'

/**
 * SQL for the kind of the done record that a stored tier belongs to, given the alias of the tier's row; null if the
 * record is not done.
 */
export const doneTypeOf = (alias: string) => {
  const isOwn = sql`d.id = ${sql.ref(`${alias}.entity_id`)} and ${sameBoard('d', alias)}`
  return sql<string | null>`case
    when exists (select 1 from cards d where ${isOwn} and d.status = 'done') then 'card'
    when exists (select 1 from specs d where ${isOwn} and d.status = 'done') then 'spec'
    when exists (select 1 from sprints d where ${isOwn} and d.status = 'closed') then 'sprint' end`
}

/**
 * Matches the stored tiers that count, given the alias of their rows: an imported file may contain a tier of a record
 * that, according to the file, is not done.
 */
const isOfDone = (alias: string) =>
  sql<boolean>`(${sql.ref(`${alias}.origin`)} is null or ${doneTypeOf(alias)} is not null)`

const byIds = hot<{ board: string; ids: string }, Pick<DoneTiersTable, 'entity_id' | 'tier' | 'origin'>>(
  (_, param) => sql<Pick<DoneTiersTable, 'entity_id' | 'tier' | 'origin'>>`select t.entity_id, t.tier, t.origin
    from done_tiers t
    where ${dialect.inList(sql.ref('t.entity_id'), param('ids'))} and ${onBoard('t', param('board'))} and ${isOfDone('t')}`,
)

/**
 * The tiers that some records of a board had when they were moved to `done`; records that had none or are not done are left
 * out.
 */
export async function doneTiers(db: Db, board: string, ids: readonly string[]): Promise<ReadonlyMap<string, Tier>> {
  if (ids.length === 0) return new Map()
  const rows = await byIds(db, { board, ids: JSON.stringify(ids) })
  return new Map(rows.map(({ entity_id, tier }) => [entity_id, tier]))
}

/** The tier with which a record was done, and its tier in the original service (evidence 14). */
export async function doneTierOf(
  db: Db,
  { id, board_id }: OnBoard,
): Promise<{ readonly tier: Tier | null; readonly origin: { tier: Tier; service: string | null } | null }> {
  const [row] = await byIds(db, { board: board_id, ids: JSON.stringify([id]) })
  return row === undefined ? { tier: null, origin: null } : { tier: row.tier, origin: parseNullable(row.origin) }
}

/** Removes the tier of a record that is no longer done. */
export async function forgetDoneTier(db: Db, id: string): Promise<void> {
  await db.deleteFrom('done_tiers').where('entity_id', '=', id).execute()
}

/** Stores the tier that a record has as it becomes done. */
export async function noteDoneTier(
  db: Db,
  record: OnBoard,
  read: (settings: ProofSettings) => Promise<RecordProof>,
): Promise<void> {
  await forgetDoneTier(db, record.id)
  const tier = tierOfProof(await read(await boardSettings(db, record.board_id)))
  if (tier !== null)
    await db
      .insertInto('done_tiers')
      .values({ entity_id: record.id, board_id: record.board_id, tier, origin: null })
      .execute()
}
