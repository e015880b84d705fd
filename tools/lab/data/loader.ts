/** Rows that are written directly into a database that no server uses. */

/** A row as its database stores it. */
export type Row = Readonly<Record<string, unknown>>

/** Rows of one board that are written together, with the board's counters afterwards. */
export interface Load {
  readonly board_id: string
  /** The number of the board's last event. */
  readonly seq: number
  /** The number of its last record. */
  readonly last_number: number
  /** Rows of records, by table; each table comes before those that refer to it. */
  readonly records: ReadonlyMap<string, readonly Row[]>
  /** Rows of the event log, each of which gets its place among those of all boards. */
  readonly events: readonly Row[]
}

/** Maximum number of events in a load: one transaction of PostgreSQL has this many positions. */
export const maxEvents = 1_000

/**
 * Clears the queue of the search index: a service would index it for minutes and disturb what is measured. Search is
 * measured by `--board`.
 */
export const forgetUnsearched = 'delete from search_changes'

/** Writes rows, several hundred times faster than calls. */
export interface Loader {
  /** Writes a load in one transaction. Counts and notes about its rows are correct at the end. */
  load(load: Load): Promise<void>
  /** Ends once everything but the search index is as a service would have left it. */
  end(): Promise<void>
}
