import type { Migration } from 'kysely/migration'
import { migration as baseline } from './0021_baseline.ts'
import { migration as runs } from './0023_runs.ts'
import { migration as importWrites } from './0024_import_writes.ts'

/** Every migration of PostgreSQL, by name; they run in the text order of their names. */
export const postgresMigrations: Readonly<Record<string, Migration>> = {
  '0021_baseline': baseline,
  '0023_runs': runs,
  '0024_import_writes': importWrites,
}
