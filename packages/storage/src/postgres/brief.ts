import { Connections, type PostgresConnection } from './connections.ts'
import { faultOf, isBroken } from './faults.ts'
import { settledAddress } from './suitability.ts'

/** The access of a brief operation to a database. */
export interface Brief {
  readonly connection: PostgresConnection
  /** The address for all its connections. */
  readonly address: string
  /** Runs something on a second connection. */
  readonly beside: <Value>(run: (other: PostgresConnection) => Promise<Value>) => Promise<Value>
}

/** A unit of work that numbers very many entries needs a second one. */
const maxConnections = 2

/**
 * Runs something on a database that nodes may be serving, on a connection that is closed afterwards.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED
 */
export async function briefly<Value>(url: string, run: (brief: Brief) => Promise<Value>): Promise<Value> {
  const address = await settledAddress(url)
  const connections = new Connections(address, maxConnections, () => {})
  const beside: Brief['beside'] = other => connections.with(other, isBroken)
  try {
    return await beside(connection => run({ connection, address, beside }))
  } catch (error) {
    throw faultOf(error)
  } finally {
    await connections.close()
  }
}
