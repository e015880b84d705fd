import { describe, test } from 'vitest'
import { onPostgres } from './postgres/test-server.testing.ts'

/**
 * Tests of what only SQLite has, or that start processes on a data folder with the database: files and their backups,
 * query plans, upgrades. They are skipped when the tests run on PostgreSQL.
 */
export const describeOnSqlite = onPostgres ? describe.skip : describe

/** The same for one test. */
export const testOnSqlite = onPostgres ? test.skip : test
