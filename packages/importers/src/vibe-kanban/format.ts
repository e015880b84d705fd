import { nameOf } from '../files.ts'
import type { Fit, Format, Miss } from '../format.ts'
import { type Entry, Unreadable } from '../neutral.ts'
import { isSqlite, SqliteFile } from '../sqlite.ts'
import { readVibeKanban } from './read.ts'

export const vibeKanban: Format = {
  looksFor: 'the SQLite database of vibe-kanban (db.sqlite) with the tables projects and tasks',
  look: ({ entries }) => entries.flatMap(entry => lookAt(entry, entries)),
}

function lookAt(entry: Entry, entries: readonly Entry[]): (Fit | Miss)[] {
  const { name: at, bytes } = entry
  if (!isSqlite(bytes)) return []
  const found = tablesIn(bytes, at)
  if (typeof found === 'string') return [{ verdict: 'no', at, reason: found }]
  if (!found.has('projects') || !found.has('tasks'))
    return [{ verdict: 'no', at, reason: 'a SQLite database without the tables projects and tasks' }]
  const isTheirs = found.has('task_attempts') || found.has('workspaces')
  const log = entries.find(({ name }) => name !== null && (name === `${at}-wal` || name === `${at}-journal`))
  return [
    {
      verdict: isTheirs ? 'sure' : 'possible',
      at,
      reason: `${at === null ? 'the' : nameOf(at)} database with projects and tasks`,
      read: collected => readVibeKanban({ bytes, entry: at, log }, collected),
    },
  ]
}

/** The names of the tables, or why they cannot be read. */
function tablesIn(bytes: Uint8Array, entry: string | null): ReadonlySet<string> | string {
  try {
    using file = new SqliteFile(bytes, entry)
    return new Set(file.tables())
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    throw error
  }
}
