/** The engine for PostgreSQL. It is loaded only where a database of it is named. */
export { fillPostgresTables, readPostgresTables } from './copy-tables.ts'
export { PostgresDatabase, type PostgresOptions } from './database.ts'
export { inspectPostgres, type PostgresInspection } from './inspection.ts'
export { refuseServedDatabase } from './served.ts'
export { readPostgres, type UnlockedPostgres, writePostgres } from './unlocked.ts'
