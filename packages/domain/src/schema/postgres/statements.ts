import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A migration that runs statements in order; forward only. Texts compare by their bytes, as in SQLite, regardless of
 * the database's own order.
 */
export const statements = (texts: readonly string[]): Migration => ({
  up: async db => {
    for (const text of texts) await sql.raw(byBytes(text)).execute(db)
  },
})

/** A text column in a statement that creates or alters a table, up to its type. */
const textColumn = /^([ \t]+\w+ text|alter table \w+ add column \w+ text)([^\w[]|$)/gm

const byBytes = (text: string): string => text.replaceAll(textColumn, '$1 collate "C"$2')
