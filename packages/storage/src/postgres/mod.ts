/** The engine for PostgreSQL. It is loaded only if the address of such a database is given. */
export { fillPostgresTables, readPostgresTables } from './copy-tables.ts'
export { PostgresDatabase, type PostgresOptions } from './database.ts'
export { inspectPostgres, type PostgresInspection } from './inspection.ts'
export { inspectReplica, type ReplicaInspection } from './replica-inspection.ts'
export { postgresSchemaFaults, repairPostgresSchema } from './schema-parts.ts'
export { refuseServedDatabase } from './served.ts'
export { readPostgres, type UnlockedPostgres, writePostgres } from './unlocked.ts'
