import { hotQueries } from '@specboard/storage'
import type { Schema } from './tables.ts'

/**
 * A query on the tables that is built and compiled once and then only run.
 * @see hotQueries
 */
export const hot = hotQueries<Schema>()
