import { postgresFunctions } from '@specboard/cypher'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The functions that Cypher's queries call. Where one changes, a migration of a later name replaces it. */
export const migration: Migration = {
  up: async db => {
    for (const text of postgresFunctions) await sql.raw(text).execute(db)
  },
}
