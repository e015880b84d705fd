/** The cards that figures of flow are about: those of a board, or of a spec or sprint of it. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/** A board, and the spec and sprint that its cards must belong to, if any. */
export interface CardScope {
  readonly board: string
  readonly spec?: string | undefined
  readonly sprint?: string | undefined
}

type Column = 'board' | 'spec' | 'sprint'

/** Gives the placeholder for a parameter of a scope's query. */
type Placeholder<Parameters> = (name: (keyof Parameters & string) | Column) => unknown

/**
 * A reader of cards `c` of a scope that are not archived: one compiled query for each combination of what a scope
 * names. The cards are always limited to the board, so that a spec or sprint of another board yields none (insight
 * B.1).
 */
export function scopeReader<Parameters extends object, Row>(
  query: (cards: RawBuilder<unknown>, param: Placeholder<Parameters>) => RawBuilder<Row>,
): (db: Db, scope: CardScope, parameters: Parameters) => Promise<Row[]> {
  const narrowed = (columns: readonly Column[]) =>
    hot<Parameters & CardScope, Row>((_, param) => {
      const conditions = columns.map(column => sql`${sql.ref(`c.${column}_id`)} = ${param(column)}`)
      return query(sql`${sql.join(conditions, sql` and `)} and c.archived = 0`, param)
    })
  const readers = {
    board: narrowed(['board']),
    spec: narrowed(['board', 'spec']),
    sprint: narrowed(['board', 'sprint']),
    both: narrowed(['board', 'spec', 'sprint']),
  }
  return (db, scope, parameters) => {
    const { spec, sprint } = scope
    const one = sprint === undefined ? (spec === undefined ? 'board' : 'spec') : spec === undefined ? 'sprint' : 'both'
    return readers[one](db, { ...parameters, ...scope })
  }
}
