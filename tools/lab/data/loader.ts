/** Rows that are written straight into a database which no server uses. */

/** A row as its database stores it. */
export type Row = Readonly<Record<string, unknown>>

/** Rows of one board that come together, with what its row has counted by then. */
export interface Load {
  readonly board_id: string
  /** The number of the board's last event. */
  readonly seq: number
  /** The number of its last record. */
  readonly last_number: number
  /** Rows of records, by table, those that others refer to first. */
  readonly records: ReadonlyMap<string, readonly Row[]>
  /** Rows of the event log, each of which gets its place among those of all boards. */
  readonly events: readonly Row[]
}

/** How many events a load has at most: so many places one transaction of PostgreSQL has. */
export const maxEvents = 1_000

/**
 * Forgets what the index of search has yet to read: a service would index it for minutes, beside what is measured. Search
 * is measured by `--board`.
 */
export const forgetUnsearched = 'delete from search_changes'

/** Writes rows, several hundred times faster than calls. */
export interface Loader {
  /** Writes a load in one transaction. What is counted and noted of its rows is true at the end. */
  load(load: Load): Promise<void>
  /** Ends, once everything but the index of search is as a service would have left it. */
  end(): Promise<void>
}
