import { Checksum } from './checksum.ts'
import { byReference, type CopiedTable, type TablesToFill, type TablesToRead } from './tables.ts'

/** The result of copying a table. */
export interface TableCopy {
  readonly table: string
  readonly rows: number
  /** The checksum of its rows, the same in both databases. */
  readonly checksum: string
}

/** Called with how many of all rows are copied, or read back. */
export type OnCopied = (phase: 'copying' | 'verifying', done: number, total: number) => void

/** Tables differ after a copy, or before it: nothing was kept. */
export class CopyError extends Error {}

/**
 * Copies all rows of a database into another one whose tables are empty, and reads them back.
 * @param leftOut tables that are rebuilt instead
 * @throws CopyError when the databases have different tables, or different rows afterwards
 */
export async function copyTables<Schema>(
  source: TablesToRead<Schema>,
  target: TablesToFill<Schema>,
  { leftOut, onCopied }: { readonly leftOut: ReadonlySet<string>; readonly onCopied: OnCopied },
): Promise<TableCopy[]> {
  const tables = await sharedTables(source, target, leftOut)
  let total = 0
  for (const { name } of tables) total += await source.count(name)
  const checksums = await copied(source, target, tables, done => onCopied('copying', done, total))
  let done = 0
  for (const table of tables) {
    const expected = checksums.get(table.name)!
    const found = new Checksum(table.columns)
    for await (const rows of target.pages(table)) {
      found.add(rows)
      done += rows.length
      onCopied('verifying', done, total)
    }
    if (found.rows !== expected.rows || found.text !== expected.text)
      throw new CopyError(
        `${table.name} has ${found.rows} rows, ${found.text}, instead of ${expected.rows}, ${expected.text}.`,
      )
  }
  return tables.map(({ name }) => ({
    table: name,
    rows: checksums.get(name)!.rows,
    checksum: checksums.get(name)!.text,
  }))
}

async function copied<Schema>(
  source: TablesToRead<Schema>,
  target: TablesToFill<Schema>,
  tables: readonly CopiedTable[],
  onRows: (done: number) => void,
): Promise<Map<string, Checksum>> {
  const sums = new Map<string, Checksum>()
  let done = 0
  for (const table of tables) {
    const sum = new Checksum(table.columns)
    sums.set(table.name, sum)
    for await (const rows of source.pages(table)) {
      sum.add(rows)
      await target.insert(table, rows)
      done += rows.length
      onRows(done)
    }
  }
  return sums
}

/** The tables of both databases, each after those that it references. */
async function sharedTables<Schema>(
  source: TablesToRead<Schema>,
  target: TablesToRead<Schema>,
  leftOut: ReadonlySet<string>,
) {
  const listed = async (tables: TablesToRead<Schema>) => (await tables.list()).filter(({ name }) => !leftOut.has(name))
  const [from, to] = [await listed(source), await listed(target)]
  const shape = (tables: readonly CopiedTable[]) =>
    tables.map(({ name, columns }) => `${name} (${columns.join(', ')})`).toSorted()
  const [before, after] = [new Set(shape(from)), new Set(shape(to))]
  const different = [...before.symmetricDifference(after)]
  if (different.length > 0) throw new CopyError(`The databases have different tables: ${different.join('; ')}.`)
  return byReference(to)
}
