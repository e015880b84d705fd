import { Connection, databaseFile } from '@specboard/storage'
import { vi } from 'vitest'

/** A statement that ran, with the values of its parameters. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** The statements that run meanwhile on any connection of this process, each once. */
export async function statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
  const spy = vi.spyOn(Connection.prototype, 'execute')
  try {
    await run()
    const ran = spy.mock.calls.map(([sql, parameters = []]): [string, Statement] => [sql, { sql, parameters }])
    return [...new Map(ran.filter(([sql]) => /^\s*(?:select|with|insert|update|delete)\b/i.test(sql))).values()]
  } finally {
    spy.mockRestore()
  }
}

/** Reads the query plans of a folder's database. */
export class QueryPlans {
  readonly #connection: Connection
  readonly #tables: ReadonlySet<string>
  /** Tables whose rows are stored in the order of a number of their own, which needs no index. */
  readonly #numbered: ReadonlySet<string>

  constructor(folder: string) {
    this.#connection = new Connection(databaseFile(folder), { readonly: true, cacheMb: 1 })
    const tables = this.#connection.rows<{ name: string }>("select name from sqlite_schema where type = 'table'")
    this.#tables = new Set(tables.map(({ name }) => name))
    const numbered = this.#connection.rows<{ name: string }>(
      `select tables.name from sqlite_schema as tables, pragma_table_info(tables.name) as columns
       where tables.type = 'table' and columns.pk = 1 and lower(columns.type) = 'integer'`,
    )
    this.#numbered = new Set(numbered.map(({ name }) => name))
  }

  close(): void {
    this.#connection.close()
  }

  /**
   * The reasons why a statement costs more than the rows that it is about: `scans <table>` for a table that is read as
   * a whole, `sorts <table>` and `groups <table>` for rows of it that are collected and sorted first. Sorting rows only
   * among those that are equal in the order of an index does not count.
   */
  faultsOf({ sql, parameters }: Statement): string[] {
    const { rows } = this.#connection.execute<{ detail: string }>(`explain query plan ${sql}`, parameters)
    const tableIn = (detail: string, how: RegExp) => {
      const name = how.exec(detail)?.[1]
      return name === undefined ? undefined : this.#tableOf(name, sql)
    }
    return rows.flatMap(({ detail }, place) => {
      const scanned = tableIn(detail, /^SCAN (\w+)\b(?! VIRTUAL TABLE)/)
      // A search that names no index reads all rows for their least or greatest value.
      const searched = tableIn(detail, /^SEARCH (\w+)$/)
      if (searched !== undefined && !this.#numbered.has(searched)) return [`scans ${searched}`]
      if (scanned !== undefined) return [`scans ${scanned}`]
      const sorted = /^USE TEMP B-TREE FOR (?!LAST )(.*)/.exec(detail)?.[1]
      if (sorted === undefined) return []
      const above = rows.slice(0, place).map(row => tableIn(row.detail, /^(?:SCAN|SEARCH) (\w+)/))
      return [
        `${sorted === 'ORDER BY' ? 'sorts' : 'groups'} ${above.findLast(table => table !== undefined) ?? 'values'}`,
      ]
    })
  }

  /** The table behind a name in a plan; undefined for names of anything else: subqueries, common tables, values. */
  #tableOf(name: string, sql: string): string | undefined {
    if (this.#tables.has(name)) return name
    if (new RegExp(`\\)\\s+(?:as\\s+)?"?${name}"?(?!\\w)`, 'i').test(sql)) return undefined
    const aliased = sql.matchAll(new RegExp(`"?(\\w+)"?\\s+(?:as\\s+)?"?${name}"?(?!\\w)`, 'gi'))
    return [...aliased].map(([, table]) => table!).find(table => this.#tables.has(table))
  }
}
