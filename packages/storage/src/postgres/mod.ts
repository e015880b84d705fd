/** The engine for PostgreSQL. It is loaded only where a database of it is named. */
export { PostgresDatabase, type PostgresOptions } from './database.ts'
