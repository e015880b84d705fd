/** Checks by a sample of records whether the graph agrees with them. */
import { type ArtifactType, artifactTypes } from '@specboard/contract'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { isUnchanged } from '../consolidation/consolidate.ts'
import { planFor } from '../consolidation/plan.ts'

/** A record that now yields something other than what the graph contains for it. */
export interface StaleRecord {
  readonly boardId: string
  readonly type: ArtifactType
  readonly id: string
}

/**
 * Compares the graph with the most recently changed records, up to `perType` of each type; queued records are skipped
 * because they may still differ.
 */
export async function sampleGraph(
  db: Db,
  perType: number,
): Promise<{ readonly compared: number; readonly stale: readonly StaleRecord[] }> {
  const stale: StaleRecord[] = []
  let compared = 0
  for (const type of artifactTypes) {
    const { rows } = await sql<{ id: string; board_id: string }>`select id, board_id from ${sql.table(`${type}s`)} r
      where not exists (select 1 from kg_queue q where q.artifact_id = r.id)
        and not exists (select 1 from kg_dead_letters d where d.artifact_id = r.id)
      order by updated_at desc, id limit ${perType}`.execute(db)
    for (const { id, board_id: boardId } of rows) {
      compared++
      if (!(await isUnchanged(db, await planFor(db, { boardId, type, id })))) stale.push({ boardId, type, id })
    }
  }
  return { compared, stale }
}
