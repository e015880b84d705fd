import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'
import { forgetUnsearched, type Load, type Loader, type Row } from './loader.ts'

/** Writes into the database of a folder. */
export async function sqliteLoader(folder: string): Promise<Loader> {
  const database = new SqliteDatabase(databaseFile(folder))
  database.pragma('foreign_keys = off')
  database.pragma('synchronous = off')
  database.pragma('cache_size = -262144')
  const insert = inserter(database)
  const lastPlace = database.prepare<[], number>(`select value from counters where name = 'events'`).pluck()
  const continueLog = database.prepare(`update counters set value = ? where name = 'events'`)
  const countOn = database.prepare('update boards set seq = @seq, last_number = @last_number where id = @board_id')
  const load = database.transaction(({ records, events, ...counted }: Load) => {
    for (const [table, rows] of records) for (const row of rows) insert(table, row)
    let position = lastPlace.get()!
    for (const row of events) insert('events', { ...row, position: ++position })
    continueLog.run(position)
    countOn.run(counted)
  })
  return {
    load: async rows => load(rows),
    end: async () => {
      database.exec(forgetUnsearched)
      // Everything is on the disk before anything is measured.
      database.pragma('synchronous = full')
      database.pragma('wal_checkpoint(truncate)')
      database.close()
    },
  }
}

function inserter(database: SqliteDatabase.Database): (table: string, row: Row) => void {
  const statements = new Map<string, SqliteDatabase.Statement>()
  const statementFor = (table: string, row: Row) => {
    const cached = statements.get(table)
    if (cached !== undefined) return cached
    const columns = Object.keys(row)
    const statement = database.prepare(
      `insert into ${table} (${columns}) values (${columns.map(column => `@${column}`)})`,
    )
    statements.set(table, statement)
    return statement
  }
  return (table, row) => statementFor(table, row).run(row)
}
