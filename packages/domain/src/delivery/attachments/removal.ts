import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Database, Db } from '../../schema/database.ts'
import { attachmentFolder, attachmentPath, removeFile, removeIncoming, storedPaths } from './files.ts'

/**
 * Queues the files of attachments whose rows are about to be deleted, and removes them once the delete is durable. A
 * file that cannot be removed is retried at the next start; the delete stands.
 * @param column selects one attachment, those of a card, or those of a board
 */
export async function queueFilesOf(ctx: Context, column: 'id' | 'card_id' | 'board_id', id: string): Promise<void> {
  const queued = await ctx.db
    .insertInto('file_removals')
    .columns(['path'])
    .expression(eb =>
      eb
        .selectFrom('attachments')
        .select(sql<string>`${`${attachmentFolder}/`} || board_id || '/' || filename`.as('path'))
        .where(column, '=', id),
    )
    .executeTakeFirst()
  if (queued.numInsertedOrUpdatedRows === 0n) return
  const { folder } = ctx.environment
  ctx.afterCommit.push(database => removeQueuedFiles(database, folder))
}

/**
 * Removes the queued files that still exist.
 * @throws the first error of the system, after removing all other files
 */
async function removeQueuedFiles(database: Database, folder: string): Promise<void> {
  const rows = await database.read(db => db.selectFrom('file_removals').select('path').execute())
  if (rows.length === 0) return
  const outcomes = await Promise.allSettled(rows.map(({ path }) => removeFile(folder, path)))
  const gone = rows.map(({ path }) => path).filter((_, index) => outcomes[index]?.status === 'fulfilled')
  await database.write(db =>
    db
      .deleteFrom('file_removals')
      .where(eb => dialect.inList(eb.ref('path'), JSON.stringify(gone)))
      .execute(),
  )
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/**
 * The files of a data folder that no row names; a crash between storing a file and its row leaves them.
 */
export async function filesWithoutRow(db: Db, folder: string): Promise<string[]> {
  const paths = await storedPaths(folder)
  const named = new Set((await namedFiles(db)).map(({ path }) => path))
  return paths.filter(path => !named.has(path))
}

/** The ids of the attachments whose file is not there (trust 5). */
export async function attachmentsWithoutFile(db: Db, folder: string): Promise<string[]> {
  const paths = new Set(await storedPaths(folder))
  return (await namedFiles(db)).filter(({ path }) => !paths.has(path)).map(({ id }) => id)
}

/** The files that rows name, oldest attachment first. */
async function namedFiles(db: Db): Promise<{ id: string; path: string }[]> {
  const rows = await db.selectFrom('attachments').select(['id', 'board_id', 'filename']).orderBy('id').execute()
  return rows.map(({ id, board_id, filename }) => ({ id, path: attachmentPath(board_id, filename) }))
}

/** At the start: uploads that an earlier process did not finish go, and the files that it left queued. */
export async function clearLeftovers(database: Database, folder: string): Promise<void> {
  await removeIncoming(folder)
  await removeQueuedFiles(database, folder)
}
