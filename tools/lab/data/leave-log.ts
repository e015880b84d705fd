/**
 * Leaves a write-ahead log of 64 MiB behind, as a killed server does at worst: writes pages that are never written
 * back and ends without closing the database.
 */
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs'
import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'

const bytes = 64 << 20
const [folder] = process.argv.slice(2)
const log = `${databaseFile(folder!)}-wal`
const database = new SqliteDatabase(databaseFile(folder!))
database.pragma('journal_mode = wal')
database.pragma('wal_autocheckpoint = 0')
const { rows } = database.prepare<[], { rows: number }>('select max(rowid) as rows from events').get()!
// Another name each time, because SQLite does not write a page that stays the same.
const rename = database.prepare('update events set actor_name = ? where rowid between ? and ?')
for (let round = 0; statSync(log).size < bytes; round++) {
  const from = (round * 1_000) % rows
  rename.run(`Writer ${round}`, from, from + 999)
}
// The same settings as a server: it syncs each commit, and the database when it writes pages back.
for (const file of [log, databaseFile(folder!)]) {
  const descriptor = openSync(file, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
process.kill(process.pid, 'SIGKILL')
