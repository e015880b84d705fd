/** Which database the servers of tests run on: SQLite, unless `SPECBOARD_TEST_ENGINE` is `postgres`. */
import { type TestServer, testServer } from '@specboard/storage/testing'

export const onPostgres = process.env.SPECBOARD_TEST_ENGINE === 'postgres'

/** A database of PostgreSQL for one test server. */
export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** One for all files of a worker; it ends with the run (`postgres-server.ts`). */
let server: Promise<TestServer> | undefined

/** A new database of PostgreSQL; undefined where tests run on SQLite. */
export async function newDatabase(): Promise<TestDatabase | undefined> {
  if (!onPostgres) return undefined
  server ??= testServer()
  const { database, drop } = await server
  const url = await database()
  return { url, drop: () => drop(url) }
}
