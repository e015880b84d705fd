import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Creation } from './ledger.ts'

/** The copies that migrations have left in a folder. */
export const backupsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter(name => /^before-.*\.db$/.test(name))
    .map(name => join(folder, name))

/** Whether a copy is complete: undamaged, and with everything acknowledged before the migration. */
export function isWhole(backup: string, created: readonly Creation[]): boolean {
  const copy = new SqliteDatabase(backup, { readonly: true })
  try {
    const rows = copy.prepare('select id from ideations').all() as { id: string }[]
    const ids = new Set(rows.map(({ id }) => id))
    return (
      copy.pragma('integrity_check', { simple: true }) === 'ok' && created.every(({ answer }) => ids.has(answer!.id))
    )
  } finally {
    copy.close()
  }
}
