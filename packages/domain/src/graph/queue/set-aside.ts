import type { ArtifactType } from '@specboard/contract'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'

/** A record that became a dead letter. */
export interface SetAside {
  readonly type: ArtifactType
  readonly id: string
  readonly boardId: string
  /** The error of the last attempt. */
  readonly reason: string
}

/**
 * The dead letters of all boards: their number, and the newest of them.
 * @param max how many of them are listed
 */
export async function setAside(
  db: Db,
  max: number,
): Promise<{ readonly total: number; readonly first: readonly SetAside[] }> {
  const rows = await db
    .selectFrom('kg_dead_letters')
    .select(['artifact_type', 'artifact_id', 'board_id', 'errors'])
    .select(({ fn }) => fn.countAll<number>().over().as('total'))
    .orderBy('dead_lettered_at', 'desc')
    .orderBy('id')
    .limit(max)
    .execute()
  const first = rows.map(row => {
    const error = parseJson(row.errors).at(-1)
    const reason = error === undefined ? 'no error is known' : `${error.error_type}: ${error.message}`
    return { type: row.artifact_type, id: row.artifact_id, boardId: row.board_id, reason }
  })
  return { total: rows[0]?.total ?? 0, first }
}
