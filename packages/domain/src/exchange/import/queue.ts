import { type ArtifactType, artifactTypes } from '@specboard/contract'
import { sql } from 'kysely'
import { enqueue } from '../../graph/queue/entries.ts'
import type { Unit } from '../../kernel/context.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'

/** A record that the knowledge graph has to read. */
export interface Unread {
  readonly type: ArtifactType
  readonly id: string
}

/** Records that are queued in one unit of work. */
const atOnce = 100

/** Whether the graph reads records of a kind. */
export const isRead = (type: string): type is ArtifactType => (artifactTypes as readonly string[]).includes(type)

/** Queues imported records for the graph, in pieces; repeating it changes nothing. */
export async function queueRecords(
  write: ReadWrite['write'],
  boardId: string,
  records: readonly Unread[],
  unit: Unit,
): Promise<void> {
  for (let at = 0; at < records.length; at += atOnce)
    await write(async db => {
      for (const { type, id } of records.slice(at, at + atOnce))
        await enqueue(db, unit, { boardId, type, id, source: 'import', event: null, priority: 'low' })
    })
}

/** All records of a board that the graph would read. */
export async function recordsOf(db: Db, boardId: string): Promise<Unread[]> {
  const found: Unread[] = []
  for (const type of artifactTypes) {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(`${type}s`)}
      where board_id = ${boardId} and archived = 0 and status <> 'cancelled' order by created_at, id`.execute(db)
    for (const { id } of rows) found.push({ type, id })
  }
  return found
}
