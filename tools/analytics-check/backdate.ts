import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'

/** Sets a time column back by some days, the same number for everything that belongs to one record. */
const back = (column: string, days: string) =>
  `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '-' || (${days}) || ' days')`

/** Days since a record was created (40 to 99), and since it last moved (up to 29). */
const made = (row: string) => `40 + ${row} % 60`
const moved = (row: string) => `${row} % 30`

/**
 * Spreads the events on the boards of a data folder over the last hundred days, which no call can do: a board that
 * was created within a minute has no cycle times. No server may be using the folder.
 */
export function backdate(folder: string): void {
  const database = new SqliteDatabase(databaseFile(folder))
  const run = database.transaction(() => {
    const entity = 'unicode(substr(entity_id, -1))'
    const isLast = `events.id = (select max(e.id) from events e where e.entity_type = events.entity_type
      and e.entity_id = events.entity_id and e.history_action = 'status_changed')`
    const days = `${moved(entity)} + case when ${isLast} then 0 else 5 end`
    database.exec(`update events set ${back('created_at', days)} where history_action = 'status_changed'`)
    for (const table of ['ideations', 'refinements', 'specs', 'sprints'])
      database.exec(`update ${table} set ${back('created_at', made('rowid'))}`)
    // What was imported came before anything that was done here.
    database.exec(`update external_ids set ${back('imported_at', '100')}`)
    const card = '(select rowid from cards where cards.id = task_validations.card_id)'
    database.exec(`update task_validations set ${back('created_at', moved(card))}`)
    database.exec(
      `update cards set ${back('created_at', made('rowid'))}, ${back('updated_at', moved('rowid'))}, ${back('moved_at', moved('rowid'))}`,
    )
  })
  run()
  database.close()
}
