import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { counts, versioned } from '../../schema/migrations/0040_revisions.ts'

/** Counts the `rev` of each record of a board from its log, for an archive that does not tell them (crew 12). */
export async function countRevisions(db: Db, boardId: string): Promise<void> {
  for (const { from, to } of counts) await sql`${sql.raw(from)} and board_id = ${boardId} ${sql.raw(to)}`.execute(db)
  for (const table of versioned)
    await sql`update ${sql.table(table)} set rev = version where board_id = ${boardId} and version > 1`.execute(db)
}
