import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A migration that runs statements in order; forward only. Column types are those of schema.ts. */
export const statements = (texts: readonly string[]): Migration => ({
  up: async db => {
    for (const text of texts) await sql.raw(text).execute(db)
  },
})
