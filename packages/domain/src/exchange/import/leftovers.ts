import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { attachmentPath } from '../../delivery/attachments/files.ts'
import { removeUnnamedFiles } from '../../delivery/attachments/removal.ts'
import type { Unit } from '../../kernel/context.ts'
import type { ReadWrite } from '../../schema/database.ts'
import { queueRecords, recordsOf } from './queue.ts'
import { place } from './staged.ts'

/** Tables with rows of a board, children first, so that none takes others with it. */
const parts = [
  'events',
  'external_ids',
  'external_authors',
  'graph_actions',
  'card_dependencies',
  'task_validations',
  'comments',
  'attachments',
  'questions',
  'knowledge',
  'snapshots',
  'spec_validations',
  'architecture_versions',
  'architecture_payloads',
  'architecture_designs',
  'saved_searches',
  'board_guidelines',
  'guidelines',
  'cards',
  'sprints',
  'specs',
  'refinements',
  'ideations',
] as const

/** Rows that are removed in one unit of work. */
const atOnce = 500

/** Removes the pieces of an import that was not finished: its board, which nobody has seen. */
export async function removePieces(write: ReadWrite['write'], folder: string, boardId: string): Promise<void> {
  for (const table of parts) {
    // A table without rowid has its keys alone to choose rows by.
    const key = table === 'external_ids' ? 'external_id' : table === 'external_authors' ? 'author' : 'id'
    for (let removed = atOnce; removed === atOnce; )
      removed = await write(async db => {
        const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)}
          where board_id = ${boardId} and ${sql.ref(key)} in (
            select ${sql.ref(key)} from ${sql.table(table)} where board_id = ${boardId} limit ${atOnce})`.execute(db)
        return Number(numAffectedRows)
      })
  }
  await write(db => db.deleteFrom('boards').where('id', '=', boardId).execute())
  await rm(join(folder, attachmentPath(boardId, '')), { recursive: true, force: true })
}

/**
 * At the start: what an earlier process gathered or wrote to a new board goes, what it began to put in place is
 * finished, and what is complete is queued for the graph.
 */
export async function settleImports(database: ReadWrite, folder: string, unit: Unit): Promise<void> {
  const rows = await database.read(db => db.selectFrom('imports').selectAll().execute())
  const write: ReadWrite['write'] = run => database.write(run)
  for (const { id, board_id, written, staged } of rows) {
    if (staged === 'placing') await place(write, { id, boardId: board_id }, unit)
    if (staged === 'gathering') await removeUnnamedFiles(database, folder, board_id)
    else if (staged === null && written === 0) await removePieces(write, folder, board_id)
    else await queueRecords(write, board_id, await database.read(db => recordsOf(db, board_id)), unit)
    await database.write(db => db.deleteFrom('imports').where('id', '=', id).execute())
  }
}
