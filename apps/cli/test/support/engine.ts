/** Which database the servers of tests run on: SQLite, unless `SPECBOARD_TEST_ENGINE` is `postgres`. */
import { type TestServer, testServer } from '@specboard/storage/testing'
import { afterAll } from 'vitest'

let server: Promise<TestServer> | undefined

/** The URL of a new database of PostgreSQL; undefined where tests run on SQLite. */
export async function newDatabase(): Promise<string | undefined> {
  if (process.env.SPECBOARD_TEST_ENGINE !== 'postgres') return undefined
  server ??= testServer()
  return (await server).database()
}

afterAll(async () => {
  await (await server)?.stop()
  server = undefined
})
