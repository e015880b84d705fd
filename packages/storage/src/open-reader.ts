import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import type { Db } from './db.ts'
import { bind, type Gate } from './executor.ts'
import type { DatabaseReader, ReplicaPlace, StatementLimits, StoreAddress } from './store.ts'

/** Opens a reader on a database that this process has already opened. */
export function openReader<Schema>({
  address,
  cacheMb,
}: {
  readonly address: StoreAddress
  /** The page cache of a connection to the embedded database, MiB. */
  readonly cacheMb: number
}): DatabaseReader<Schema> {
  return address.engine === 'sqlite' ? ofFolder(address.folder, cacheMb) : ofServer(address.url, address.limits)
}

function ofFolder<Schema>(folder: string, cacheMb: number): DatabaseReader<Schema> {
  const connection = new Connection(databaseFile(folder), { readonly: true, cacheMb })
  const read = async <Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value> => {
    const gate: Gate = { open: true }
    connection.execute('begin')
    try {
      return await run(bind<Schema>(connection, gate))
    } finally {
      gate.open = false
      connection.execute('commit')
    }
  }
  return { read, close: () => connection.close() }
}

function ofServer<Schema>(url: string, limits: StatementLimits | undefined): DatabaseReader<Schema> {
  const how = { max: 1, rests: true, limits }
  const opened = import('./postgres/reader.ts').then(({ PostgresReader }) => new PostgresReader<Schema>(url, how))
  let place: ReplicaPlace | undefined
  const open = async () => {
    const { ReplicaReads } = await import('./postgres/replica-reads.ts')
    return new ReplicaReads<Schema>({ ...how, primary: await opened, place: () => place })
  }
  let replica: ReturnType<typeof open> | undefined
  return {
    read: async (run, requiredPlace) => {
      place = requiredPlace
      if (requiredPlace === undefined) return (await opened).read(run)
      replica ??= open()
      return (await replica).read(run)
    },
    close: async () => {
      await (await replica)?.close()
      await (await opened).close()
    },
  }
}
