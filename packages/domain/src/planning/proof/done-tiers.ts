/** The tiers that records had when they were moved to `done` (evidence 7, rule 4). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { DoneTiersTable } from '../../schema/tables.ts'
import type { RecordProof } from './judges.ts'
import type { ProofSettings } from './rules.ts'
import { tierOfProof } from './shown.ts'
import type { Tier } from './tiers.ts'

const byIds = hot<{ ids: string }, Pick<DoneTiersTable, 'entity_id' | 'tier'>>((db, param) =>
  db
    .selectFrom('done_tiers')
    .select(['entity_id', 'tier'])
    .where(eb => dialect.inList(eb.ref('entity_id'), sql`${param('ids')}`)),
)

/**
 * The tiers that some records had when they were moved to `done`; records that had none or are not done are left out.
 */
export async function doneTiers(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Tier>> {
  if (ids.length === 0) return new Map()
  const rows = await byIds(db, { ids: JSON.stringify(ids) })
  return new Map(rows.map(({ entity_id, tier }) => [entity_id, tier]))
}

/** Removes the tier of a record that is no longer done. */
export async function forgetDoneTier(db: Db, id: string): Promise<void> {
  await db.deleteFrom('done_tiers').where('entity_id', '=', id).execute()
}

/** Stores the tier that a record has as it becomes done. */
export async function noteDoneTier(
  db: Db,
  record: { readonly id: string; readonly board_id: string },
  read: (settings: ProofSettings) => Promise<RecordProof>,
): Promise<void> {
  await forgetDoneTier(db, record.id)
  const tier = tierOfProof(await read(await boardSettings(db, record.board_id)))
  if (tier !== null)
    await db.insertInto('done_tiers').values({ entity_id: record.id, board_id: record.board_id, tier }).execute()
}
