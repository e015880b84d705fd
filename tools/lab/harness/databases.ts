import type { Engine } from '@specboard/storage'
import { testServer, whyNoServer } from '@specboard/storage/testing'

/** A new, empty database for one service. */
export interface ServiceDatabase {
  /** Its address; undefined if the service keeps the database in its folder. */
  readonly url: string | undefined
  /** The environment variables that make a service use it. */
  readonly environment: Readonly<Record<string, string>>
}

/** The databases of a tool's services; disposed of when all of them have ended. */
export interface Databases extends AsyncDisposable {
  readonly engine: Engine
  /** Makes a database: an empty one, or a copy of one that no service uses. */
  make(template?: string): Promise<ServiceDatabase>
}

const inFolders: Databases = {
  engine: 'sqlite',
  make: async () => ({ url: undefined, environment: {} }),
  [Symbol.asyncDispose]: async () => {},
}

/**
 * The databases of an engine. Those of `postgres` are on the server of `SPECBOARD_TEST_DATABASE_URL`, otherwise on one
 * that is started for the tool with the machine's programs; with `sqlite` they are in the services' folders.
 *
 * @example
 * await using databases = await databasesOf('postgres')
 * const server = await startService(folder, (await databases.make()).environment)
 * @throws Error for another engine, and where there is no PostgreSQL
 */
export async function databasesOf(engine = 'sqlite'): Promise<Databases> {
  if (engine === 'sqlite') return inFolders
  if (engine !== 'postgres') throw new Error(`--engine is sqlite or postgres, not ${engine}.`)
  const missing = whyNoServer()
  if (missing !== undefined) throw new Error(missing)
  const server = await testServer()
  const make = async (template?: string) => {
    const url = await server.database(template)
    return { url, environment: { SPECBOARD_DATABASE_URL: url } }
  }
  return { engine, make, [Symbol.asyncDispose]: server.stop }
}
