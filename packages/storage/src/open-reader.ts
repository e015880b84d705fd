import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import type { Db } from './db.ts'
import { bind, type Gate } from './executor.ts'

/** A read-only connection of its own, for a thread beside the one that serves calls. */
export interface DatabaseReader<Schema> {
  /** Runs reads that see a single state of the database. */
  read<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value>
  close(): void
}

/** Opens a reader on the database of a folder that this process has already opened. */
export function openReader<Schema>({ folder, cacheMb }: { readonly folder: string; readonly cacheMb: number }) {
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
  const reader: DatabaseReader<Schema> = { read, close: () => connection.close() }
  return reader
}
