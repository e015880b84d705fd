import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A migration that runs statements in order; forward only. The column types are those of `columns.ts`. */
export const statements = (texts: readonly string[]): Migration => ({
  up: async db => {
    for (const text of texts) await sql.raw(text).execute(db)
  },
})
