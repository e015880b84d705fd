/** Moves a whole service from one database to another (exchange 3). */
import { rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  CopyError,
  copyTables,
  fillSqliteTables,
  makeFolder,
  readSqliteTables,
  StorageError,
  type TableCopy,
  type TablesToFill,
  type TablesToRead,
} from '@specboard/storage'
import type { AttachmentFiles } from '../../delivery/attachments/files/files.ts'
import { openFiles } from '../../delivery/attachments/files/open-files.ts'
import { indexAllNodes } from '../../graph/store/term-index.ts'
import { checkSearch, rebuildSearch } from '../../insight/search/check.ts'
import { type DatabasePlace, type Db, openDatabase } from '../../schema/database.ts'
import { migrations } from '../../schema/migrations/all.ts'
import { tables } from '../../schema/tables/all.ts'
import type { Schema } from '../../schema/tables.ts'
import { partOf, removeUnfinished } from '../../workspace/backups/files.ts'
import { contentsOf, unpackedNextTo } from '../../workspace/backups/mounted-folder.ts'
import { putInPlace } from '../../workspace/backups/restore.ts'
import { copyAttachments, copySecretKey, type PlaceOfKey } from './files.ts'

/** The phases of a move, in order. */
export type MovePhase = 'copying' | 'verifying' | 'indexing' | 'attachments'

export interface MoveOptions {
  readonly from: DatabasePlace
  readonly to: DatabasePlace
  /** The S3 store of the attachments, if they are in one: they stay there. */
  readonly attachmentsUrl?: string | undefined
  /** The file with the key that encrypts the service's secrets, if one was supplied. */
  readonly secretKeyFile?: string | undefined
  readonly at: string
  readonly onProgress?: (phase: MovePhase, done: number, total: number) => void
}

/** What was moved. */
export interface MoveResult {
  readonly tables: readonly TableCopy[]
  readonly rows: number
  /** How many files of attachments are in the target; those in an S3 store are not checked. */
  readonly files: number
  /** Attachments whose file was already missing. */
  readonly missing: readonly string[]
  /** Which key decrypts the service's secrets: the one in the supplied file, or the one in the source's folder. */
  readonly key: PlaceOfKey
}

/** The tables in which SQLite stores a full-text index. */
const partsOfIndex = ['data', 'idx', 'docsize', 'config']

/**
 * Tables that are not copied because they are specific to each database: the search index and the terms of the graph,
 * which are rebuilt, and the files of attachments, which only PostgreSQL contains. Also those with what the nodes of
 * one database hold; imports that the nodes had begun are settled by the next start.
 */
const leftOut: ReadonlySet<string> = new Set(
  tables
    .filter(({ stays }) => stays)
    .flatMap(({ name, engine }) => [
      name,
      ...(engine === 'own form' ? partsOfIndex.map(part => `${name}_${part}`) : []),
    ]),
)

/** Tables that contain rows as soon as a service has started once. */
const firstFilled = ['presets', 'agents', 'boards'] as const

/**
 * Copies a stopped service, with its histories, keys, graph and attachments, into an empty target, and verifies every
 * table by its count and checksum before the copy takes effect. If it is killed at any moment, the source is unchanged,
 * and a second run still treats the target as empty.
 * @throws StorageError NO_DATABASE, FOLDER_LOCKED, DATABASE_IN_USE, DATABASE_FILLED, DATABASE_OLDER, DATABASE_NEWER,
 * DATABASE_REFUSED, UNREACHABLE; CopyError when the copy differs
 */
export async function moveService(options: MoveOptions): Promise<MoveResult> {
  const { from, to } = options
  if (from.databaseUrl === undefined) {
    const read = (tables: TablesToRead<Schema>) => moveFrom(tables, options)
    return readSqliteTables<Schema, MoveResult>({ folder: from.folder, migrations }, read)
  }
  if (from.databaseUrl === to.databaseUrl) throw new StorageError('DATABASE_FILLED', 'Both databases are the same.')
  const { readPostgresTables } = await import('@specboard/storage/postgres')
  const { postgresMigrations } = await import('../../schema/postgres/all.ts')
  return readPostgresTables<Schema, MoveResult>({ url: from.databaseUrl, migrations: postgresMigrations }, tables =>
    moveFrom(tables, options),
  )
}

async function moveFrom(source: TablesToRead<Schema>, options: MoveOptions): Promise<MoveResult> {
  // A move that was killed leaves tables without rows; the first thing that a start creates is an owner.
  if ((await source.count('agents')) === 0)
    throw new StorageError(
      'NO_DATABASE',
      'The database to move from contains no service: it was never served, or a move into it was killed. Name the one with the service.',
    )
  const { folder, databaseUrl: url } = options.to
  if (url === undefined) return intoFolder(source, options)
  makeFolder(folder)
  const { fillPostgresTables } = await import('@specboard/storage/postgres')
  const { postgresMigrations } = await import('../../schema/postgres/all.ts')
  return fillPostgresTables<Schema, MoveResult>({ url, migrations: postgresMigrations }, target =>
    fill(source, target, options, folder),
  )
}

/** Makes the data folder under another name, and renames it when it is complete. */
async function intoFolder(source: TablesToRead<Schema>, options: MoveOptions): Promise<MoveResult> {
  const folder = resolve(options.to.folder)
  if (contentsOf(folder).length > 0)
    throw new StorageError(
      'DATABASE_FILLED',
      `${folder} is not empty. Name a folder that is, or that does not exist yet.`,
    )
  const beside = unpackedNextTo(folder)
  removeUnfinished(beside)
  const part = partOf(beside)
  try {
    makeFolder(dirname(part))
    await (await openDatabase({ folder: part })).close()
    const moved = await fillSqliteTables<Schema, MoveResult>(part, target => fill(source, target, options, part))
    putInPlace(part, folder, { force: false, at: options.at })
    return moved
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}

/** @param folder the data folder to fill */
async function fill(
  source: TablesToRead<Schema>,
  target: TablesToFill<Schema>,
  { from, to, attachmentsUrl, secretKeyFile, onProgress = () => {} }: MoveOptions,
  folder: string,
): Promise<MoveResult> {
  const { db } = target
  for (const table of firstFilled)
    if ((await target.count(table)) > 0)
      throw new StorageError('DATABASE_FILLED', 'The database already holds a service. Name an empty one.')
  const isShared = to.databaseUrl !== undefined
  const key = await copySecretKey(source.db, { from: from.folder, to: folder, keyFile: secretKeyFile, isShared })
  // The only row that the migrations themselves write.
  await db.deleteFrom('counters').execute()
  const copies = await copyTables(source, target, { leftOut, onCopied: onProgress })
  onProgress('indexing', 0, 2)
  await rebuildSearch(db)
  onProgress('indexing', 1, 2)
  await indexAllNodes(db)
  onProgress('indexing', 2, 2)
  const { wrong } = await checkSearch(db)
  if (wrong > 0) throw new CopyError(`The search index has ${wrong} wrong records.`)
  const rows = copies.reduce((sum, table) => sum + table.rows, 0)
  const files =
    attachmentsUrl === undefined
      ? await copyAttachments(db, await filesOf(from, source.db), await filesOf({ ...to, folder }, db), (done, total) =>
          onProgress('attachments', done, total),
        )
      : { files: 0, missing: [] }
  await source.refuseServed()
  return { tables: copies, rows, key, ...files }
}

/** The store of a database's attachments, which is read and written in the transaction that copies the database. */
const filesOf = ({ folder, databaseUrl }: DatabasePlace, db: Db): Promise<AttachmentFiles> =>
  openFiles({
    folder,
    database: { isShared: databaseUrl !== undefined, read: run => run(db), write: run => run(db) },
  })
