import type { Sql } from './sql.ts'

/** What a variable is bound to, by the aliases of its tables. */
export type Binding =
  | { readonly kind: 'node'; readonly alias: string }
  | { readonly kind: 'edge'; readonly alias: string }
  | { readonly kind: 'edges'; readonly list: Sql }
  | { readonly kind: 'path'; readonly nodes: Sql; readonly edges: Sql; readonly length: Sql }

/** The variables of a query, in the order in which they appear. */
export type Scope = Map<string, Binding>

/** Numbers the tables of a query. */
export class Aliases {
  #count = 0
  next(prefix: string): string {
    return `${prefix}${this.#count++}`
  }
}
