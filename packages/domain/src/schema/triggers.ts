/** Triggers, independent of the database's language. */

/** What happens on each change of a row, in the transaction of the change. */
export interface Trigger {
  readonly name: string
  readonly table: string
  /** The changes that fire it, such as `insert` or `update of status, archived`. */
  readonly after: string
  /** A condition on `old` and `new`; by default every change. */
  readonly when?: string
  /** The statements, each ended by a semicolon. */
  readonly statements: string
}

/** The statement that creates a trigger in SQLite. */
export const sqliteTrigger = ({ name, table, after, when, statements }: Trigger): string =>
  `create trigger ${name} after ${after} on ${table}${when === undefined ? '' : `\n      when ${when}`}
      begin ${statements} end`

/** The statement that creates or replaces the function of a trigger in PostgreSQL. */
export const postgresFunction = ({ name, when, statements }: Trigger): string =>
  `create or replace function ${name}() returns trigger language plpgsql as $$
    begin ${when === undefined ? statements : `if ${when} then ${statements} end if;`} return null; end $$`

/** The statements that create a trigger in PostgreSQL which calls a function of the same name. */
export const postgresTrigger = (trigger: Trigger): readonly string[] => [
  postgresFunction(trigger),
  `create trigger ${trigger.name} after ${trigger.after} on ${trigger.table} for each row execute function ${trigger.name}()`,
]
