import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'
import { attachmentFolder, attachmentPath, isAbsent, removeFile, removeIncoming, storedPaths } from './files.ts'

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
async function removeQueuedFiles(database: ReadWrite, folder: string): Promise<void> {
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

/** Removes the files of a board that no row names, while nothing is uploaded: what a killed import had stored. */
export async function removeUnnamedFiles(database: ReadWrite, folder: string, boardId: string): Promise<void> {
  const { surplus } = await database.read(db => compareFiles(db, folder))
  for (const path of surplus) if (path.startsWith(attachmentPath(boardId, ''))) await removeFile(folder, path)
}

/** How the files of a data folder differ from the rows of the attachments. */
export interface FileDifferences {
  /** The paths of files that no row names; a crash between storing a file and its row leaves them. */
  readonly surplus: readonly string[]
  /** The ids of the attachments whose file is not there, in order. */
  readonly missing: readonly string[]
}

/** Compares the files of a data folder with the rows of the attachments (trust 5). */
export async function compareFiles(db: Db, folder: string): Promise<FileDifferences> {
  const paths = await storedPaths(folder)
  const rows = await db.selectFrom('attachments').select(['id', 'board_id', 'filename']).orderBy('id').execute()
  const attachments = rows.map(({ id, board_id, filename }) => ({ id, path: attachmentPath(board_id, filename) }))
  const stored = new Set(paths)
  const named = new Set(attachments.map(({ path }) => path))
  return {
    surplus: paths.filter(path => !named.has(path)),
    missing: attachments.filter(({ path }) => !stored.has(path)).map(({ id }) => id),
  }
}

/**
 * The ids of the attachments whose file is there, but holds other bytes than were uploaded.
 * @param onProgress told after each file
 */
export async function alteredFiles(
  db: Db,
  folder: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<string[]> {
  const rows = await db
    .selectFrom('attachments')
    .select(['id', 'board_id', 'filename', 'sha256'])
    .orderBy('id')
    .execute()
  const altered: string[] = []
  for (const [index, { id, board_id, filename, sha256 }] of rows.entries()) {
    const hash = await hashOf(join(folder, attachmentPath(board_id, filename)))
    if (hash !== undefined && hash !== sha256) altered.push(id)
    onProgress(index + 1, rows.length)
  }
  return altered
}

/** The hash of a file's bytes, lower-case hex; undefined where there is no file. */
async function hashOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
  return hash.digest('hex')
}

/** At the start: uploads that an earlier process did not finish go, and the files that it left queued. */
export async function clearLeftovers(database: ReadWrite, folder: string): Promise<void> {
  await removeIncoming(folder)
  await removeQueuedFiles(database, folder)
}
