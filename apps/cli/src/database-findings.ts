/** Doctor's findings about the embedded database: its pages, indexes and references (exchange 3). */
import { attachmentFolder, inspectDatabase, rebuildIndexes, secretKeyName } from '@specboard/domain'
import {
  type BrokenReference,
  backupPhrase,
  type Inspection,
  refuseMissingDatabase,
  removeBrokenReferences,
  StorageError,
} from '@specboard/storage'
import { explain } from './explain.ts'
import { type Finding, listed, repairOf, type Use } from './finding.ts'

const restoring = (folder: string): string => `restore a backup (newest: ${backupPhrase(folder)})`

/** SQLite's error codes for a file that it cannot read. */
const damage: ReadonlySet<unknown> = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB'])

/** Checks the database of a folder; `fix` rebuilds indexes, and removes derived rows whose records are gone. */
export async function databaseFindings(folder: string, use: Use): Promise<Finding[]> {
  try {
    refuseMissingDatabase(folder, [attachmentFolder, secretKeyName])
    const inspection = await inspectDatabase(folder)
    const { sqliteVersion, integrity, pendingMigrations: pending, rows } = inspection
    const behind =
      pending.length === 0 ? 'up to date' : `${pending.length} migrations pending; the next start runs them`
    return [
      { name: 'SQLite', ok: true, says: `${sqliteVersion}, WAL, synchronous=FULL` },
      {
        name: 'integrity',
        ok: integrity === 'ok',
        says: integrity === 'ok' ? integrity : `${integrity}; ${restoring(folder)}`,
      },
      ...indexFindings(folder, inspection, use),
      ...referenceFindings(folder, inspection, use),
      { name: 'schema', ok: true, says: behind },
      ...Object.entries(rows).map(([table, count]) => ({ name: table, ok: true, says: String(count) })),
    ]
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NO_DATABASE')
      return [{ name: 'database', ok: true, says: error.message }]
    const isDamaged = error instanceof Error && 'code' in error && damage.has(error.code)
    const says = isDamaged
      ? `specboard.db in the data folder is damaged (${error.message}); ${restoring(folder)}`
      : explain(error)
    return [{ name: 'database', ok: false, says }]
  }
}

function indexFindings(folder: string, { staleIndexes: stale }: Inspection, use: Use): Finding[] {
  const name = 'indexes'
  if (stale.length === 0) return []
  if (!use.fix || use.served)
    return [
      {
        name,
        ok: false,
        says: `${listed(stale)} ${stale.length === 1 ? 'does' : 'do'} not agree with the records; ${repairOf(use)} rebuilds them`,
        isFixable: true,
      },
    ]
  const failed = rebuildIndexes(folder, stale)
  if (failed.length === 0) return [{ name, ok: true, says: `fixed: ${listed(stale)} rebuilt` }]
  const reasons = failed.map(index => `${index.name} cannot be built (${index.reason})`)
  return [{ name, ok: false, says: `${listed(reasons)}; ${restoring(folder)}` }]
}

/** Tables whose rows are derived: broken rows are removed, and created again by what maintains them. */
const derivedTables = /^(?:kg_(?:nodes|edges|terms|vectors|queue)|search_\w+|list_counts)$/

function referenceFindings(
  folder: string,
  { brokenReferences: { total, first, tables } }: Inspection,
  use: Use,
): Finding[] {
  const name = 'references'
  if (total === 0) return [{ name, ok: true, says: 'ok' }]
  const isDerived = tables.every(table => derivedTables.test(table))
  const summary = `${total} broken: ${listed(first.map(referenceText))}${total > first.length ? ', and more' : ''}`
  if (!isDerived) return [{ name, ok: false, says: `${summary}; ${restoring(folder)}` }]
  if (!use.fix || use.served)
    return [{ name, ok: false, says: `${summary}; ${repairOf(use)} recreates them`, isFixable: true }]
  removeBrokenReferences(folder, tables)
  return [{ name, ok: true, says: `fixed: ${total} removed from ${listed(tables)}, to be recreated` }]
}

const referenceText = ({ table, row, board, column, parent }: BrokenReference): string =>
  `${table} ${row}${board === undefined ? '' : ` of the board ${board}`}, whose ${column} is not in ${parent}`
