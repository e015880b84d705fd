import { PostgresQueryCompiler } from 'kysely'

/**
 * Binds equal values once: PostgreSQL takes an expression for the one that rows are grouped by only if their parameters
 * have the same numbers.
 */
export class InterningCompiler extends PostgresQueryCompiler {
  readonly #places = new Map<unknown, number>()

  protected override appendValue(value: unknown): void {
    const place = this.#places.get(value)
    if (place === undefined) {
      super.appendValue(value)
      this.#places.set(value, this.numParameters)
    } else this.append(`$${place}`)
  }
}
