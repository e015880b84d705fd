import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import { type FixedQuery, valuesOf } from './fixed-query.ts'
import type { StoreAddress } from './store.ts'

/** Runs a fixed query with its named values. */
export type RunFixed = <Row>(query: FixedQuery, parameters?: Readonly<Record<string, unknown>>) => Promise<Row[]>

/**
 * Runs fixed queries that see a single state of a database that this process has already opened, on a connection of
 * their own. On SQLite a thread does so without the query builder, which would take 20 MiB.
 * @param cacheMb the page cache of a connection to the embedded database, MiB
 */
export async function readFixed<Value>(
  address: StoreAddress,
  cacheMb: number,
  run: (rows: RunFixed) => Promise<Value>,
): Promise<Value> {
  if (address.engine !== 'sqlite') return readOfServer(address, cacheMb, run)
  const connection = new Connection(databaseFile(address.folder), { readonly: true, cacheMb })
  try {
    connection.execute('begin')
    return await run(async <Row>(query: FixedQuery, parameters = {}) => {
      const { rows } = connection.execute<Row>(query.sql, valuesOf(query, parameters))
      return rows
    })
  } finally {
    connection.close()
  }
}

async function readOfServer<Value>(
  address: StoreAddress,
  cacheMb: number,
  run: (rows: RunFixed) => Promise<Value>,
): Promise<Value> {
  const [{ openReader }, { runnerOf }] = await Promise.all([import('./open-reader.ts'), import('./executor.ts')])
  const reader = openReader({ address, cacheMb })
  try {
    return await reader.read(db =>
      run(async <Row>(query: FixedQuery, parameters = {}) => {
        const { rows } = await runnerOf(db).run<Row>(query.sql, valuesOf(query, parameters))
        return rows
      }),
    )
  } finally {
    await reader.close()
  }
}
