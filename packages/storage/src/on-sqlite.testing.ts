import { describe, test } from 'vitest'
import { onPostgres } from './postgres/test-server.testing.ts'

/**
 * For tests of features that only SQLite has, or that start processes on a data folder with the database: files and
 * their backups, query plans, upgrades. They are skipped when the tests run on PostgreSQL.
 */
export const describeOnSqlite = onPostgres ? describe.skip : describe

/** Like `describeOnSqlite`, for a single test. */
export const testOnSqlite = onPostgres ? test.skip : test
