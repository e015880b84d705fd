import { StorageError } from '@specboard/storage'
import type { AttachmentFiles } from '../../delivery/attachments/files/files.ts'
import { removeUnnamedFiles } from '../../delivery/attachments/removal.ts'
import type { Unit } from '../../kernel/context.ts'
import { hasEnded, type Leases } from '../../kernel/leases.ts'
import type { Database, Db, ReadWrite } from '../../schema/database.ts'
import { markForRemoval } from '../../workspace/boards/removal.ts'
import { queueRecords, recordsOf } from './queue.ts'
import { leftOutFault, place } from './staged.ts'

/** The imports of processes that have ended. */
const leftImports = (db: Db) =>
  db
    .selectFrom('imports')
    .selectAll()
    .where(eb => hasEnded(eb.ref('imports.node_id')))
    .execute()

type UnfinishedImport = Awaited<ReturnType<typeof leftImports>>[number]

/** The parts of a service that are needed to settle imports. */
interface SettlingParts extends Unit {
  readonly files: AttachmentFiles
  readonly leases: Leases
  readonly onFault: (error: unknown) => void
}

/**
 * Settles the imports of processes that have ended: staged changes are discarded, an unfinished new board is marked for
 * removal, an import into a board that had begun to write is finished, and a complete one is queued for the graph.
 * Nothing in an import keeps a service from starting: what can never be written is left out and reported.
 */
export async function settleImports(
  database: Database,
  { files, leases, onFault, ...unit }: SettlingParts,
): Promise<void> {
  for (const { id } of await database.read(leftImports))
    await leases.inTurn(`leftovers of ${id}`, async () => {
      // Another node may have settled it meanwhile.
      const leftover = (await database.read(leftImports)).find(other => other.id === id)
      if (leftover === undefined) return
      await settle(database, leftover, { ...unit, onFault, files: leases.isAlone ? files : undefined }).catch(error => {
        if (error instanceof StorageError) throw error
        onFault(error)
      })
    })
}

/** @param files whose unreferenced files are removed; undefined while others may be storing some */
async function settle(
  database: Database,
  { id, board_id, written, staged }: UnfinishedImport,
  {
    files,
    onFault,
    ...unit
  }: Omit<SettlingParts, 'leases' | 'files'> & { readonly files: AttachmentFiles | undefined },
): Promise<void> {
  const write: ReadWrite['write'] = run => database.write(run, { lock: board_id })
  const isPart = staged === null && written === 0
  if (staged === 'placing')
    await place(write, { id, boardId: board_id }, unit, { leftOut: omission => onFault(leftOutFault(id, omission)) })
  if (staged === 'gathering') {
    if (files !== undefined) await removeUnnamedFiles(database, files, board_id)
  } else if (!isPart) await queueRecords(write, board_id, await database.read(db => recordsOf(db, board_id)), unit)
  await write(async db => {
    if (isPart) await markForRemoval(db, board_id)
    await db.deleteFrom('imports').where('id', '=', id).execute()
  })
}
