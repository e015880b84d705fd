import { hotQueries } from '@specboard/storage'
import type { Schema } from './tables.ts'

/**
 * Makes a hot query on the tables: built and compiled once, then only run with new parameters.
 *
 * @example
 * const cardById = hot<{ id: string }, CardsTable>((db, param) =>
 *   db.selectFrom('cards').selectAll().where('id', '=', param('id')))
 * const [card] = await cardById(ctx.db, { id })
 * @see hotQueries
 */
export const hot = hotQueries<Schema>()
