import { createHash } from 'node:crypto'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'
import { onBoard } from '../../schema/same-board.ts'
import { attachmentFolder, attachmentPath } from './files/attachment-path.ts'
import { type AttachmentFiles, isAbsent } from './files/files.ts'

/**
 * Queues the files of attachments whose rows are about to be deleted, and removes them once the delete is durable. A
 * file that cannot be removed is retried by later deletes, the sweeper and the next start; the rows remain deleted.
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
        .where(column, '=', id)
        .where(onBoard('attachments', ctx.boardId)),
    )
    .executeTakeFirst()
  if (queued.numInsertedOrUpdatedRows === 0n) return
  const { files } = ctx.environment
  ctx.afterCommit.push(database => removeQueuedFiles(database, files))
}

/**
 * Removes the queued files that still exist.
 * @throws the first error of the storage, after removing all other files
 */
export async function removeQueuedFiles(database: ReadWrite, files: AttachmentFiles): Promise<void> {
  const rows = await database.read(db => db.selectFrom('file_removals').select('path').execute())
  if (rows.length === 0) return
  const outcomes = await Promise.allSettled(rows.map(({ path }) => files.remove(path)))
  const removed = rows.map(({ path }) => path).filter((_, index) => outcomes[index]?.status === 'fulfilled')
  await database.write(
    db =>
      db
        .deleteFrom('file_removals')
        .where(eb => dialect.inList(eb.ref('path'), JSON.stringify(removed)))
        .execute(),
    { lock: 'file removals' },
  )
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/**
 * Removes the files of a board that no row references, while nothing is being uploaded: those that a killed import had
 * stored.
 */
export async function removeUnnamedFiles(database: ReadWrite, files: AttachmentFiles, boardId: string): Promise<void> {
  const named = new Set((await database.read(db => namedFiles(db, boardId))).map(({ path }) => path))
  for await (const path of files.paths(boardId)) if (!named.has(path)) await files.remove(path)
}

/** The attachments, of all boards or of one, each with the path of its file; ordered by id. */
export async function namedFiles(db: Db, boardId?: string) {
  const rows = await db
    .selectFrom('attachments')
    .select(['id', 'board_id', 'filename', 'sha256'])
    .$if(boardId !== undefined, query => query.where('board_id', '=', boardId!))
    .orderBy('id')
    .execute()
  return rows.map(({ id, board_id, filename, sha256 }) => ({ id, sha256, path: attachmentPath(board_id, filename) }))
}

/** The differences between the files in a storage and the rows of attachments. */
export interface FileDifferences {
  /** The paths of files that no row references; a crash between storing a file and its row leaves them. */
  readonly surplus: readonly string[]
  /** The ids of the attachments whose file is missing, in order. */
  readonly missing: readonly string[]
}

/** Compares the files in a storage with the rows of attachments (trust 5). */
export async function compareFiles(read: ReadWrite['read'], files: AttachmentFiles): Promise<FileDifferences> {
  const paths: string[] = []
  for await (const path of files.paths()) paths.push(path)
  const attachments = await read(db => namedFiles(db))
  const stored = new Set(paths)
  const named = new Set(attachments.map(({ path }) => path))
  return {
    surplus: paths.filter(path => !named.has(path)),
    missing: attachments.filter(({ path }) => !stored.has(path)).map(({ id }) => id),
  }
}

/**
 * The ids of the attachments whose file exists, but contains other bytes than were uploaded.
 * @param onProgress called after each file
 */
export async function alteredFiles(
  read: ReadWrite['read'],
  files: AttachmentFiles,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<string[]> {
  const rows = await read(db => namedFiles(db))
  const altered: string[] = []
  for (const [index, { id, path, sha256 }] of rows.entries()) {
    const hash = await hashOf(files, path)
    if (hash !== undefined && hash !== sha256) altered.push(id)
    onProgress(index + 1, rows.length)
  }
  return altered
}

/** The hash of a file's bytes, lower-case hex; undefined if the file does not exist. */
export async function hashOf(files: AttachmentFiles, path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of files.read(path)) hash.update(chunk)
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
  return hash.digest('hex')
}
