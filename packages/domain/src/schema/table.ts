import type { PartKind, partLetters } from '@specboard/contract'
import type { Column, ValueOf } from './columns.ts'

/** The kinds of record that are counted. */
export type CountedKind = 'ideation' | 'spec' | 'sprint' | 'card'

/** The kinds of row that contain searchable records: a card also contains its knowledge and its conclusions. */
export type SearchSource =
  | 'ideation'
  | 'refinement'
  | 'spec'
  | 'sprint'
  | 'card'
  | 'architecture'
  | 'knowledge'
  | 'guideline'
  | 'comment'
  | 'question'
  | 'change'

/**
 * The letter of a kind of part whose numbers are stored in a counter (crew 8.2); verdicts on specs and sprints are
 * numbered by position.
 */
export type PartLetter = Exclude<(typeof partLetters)[PartKind], 'e'>

type Columns = Readonly<Record<string, Column<unknown>>>

/** What a table literal says about a table, besides its columns. */
interface Facts<ColumnName extends string> {
  /** The columns of its primary key; by default `id`. */
  readonly key?: readonly ColumnName[]
  /** The kind of its records, as the event log names it; only for records with a title. */
  readonly type?: string
  /** The column with the title of a record. */
  readonly title?: ColumnName
  /** For parts of records with a reference (crew 8.2): their letter, the tables of their records, the column with its id. */
  readonly part?: { readonly letter: PartLetter; readonly of: readonly string[]; readonly by: ColumnName }
  /** How its rows are counted for lists (`list-counts.ts`). */
  readonly counted?: {
    readonly kind: CountedKind
    /** The column that orders the list, whose values divide it into segments; without one it is a single segment. */
    readonly key?: 'updated_at'
    /** The condition for rows `row` that are counted; by default all. */
    readonly where?: (row: string) => string
  }
  /** What the search index calls its rows (board 4). */
  readonly searched?: SearchSource
  /** What archives call its records (exchange 1). */
  readonly archived?: string
  /**
   * How the rows of a deleted board are removed (access 3.2): many rows in pieces, in the background; few rows together
   * with the row of the board, or at once if they can also be found other than by their board.
   */
  readonly removed?: 'in pieces' | 'with the board' | 'at once'
  /**
   * Whether its pieces are removed before those of all other tables, or after them. In between, rows that reference
   * others are removed before these, so that deleting a row does not cascade to many others.
   */
  readonly turn?: 'first' | 'last'
  /**
   * How the rows of a board are found, unless they are simply those with its `board_id`: through the records in a
   * column, or with a further condition.
   */
  readonly ofBoard?: { readonly through: ColumnName } | { readonly onlyIf: string }
  /** Whether its rows are not moved to another database: they are derived, or belong to this one (exchange 3). */
  readonly stays?: true
  /** Whether it has few rows, no matter how much is stored. */
  readonly isSmall?: true
  /** Which database has it, if not both; or whether each has it in a different form. */
  readonly engine?: 'postgres' | 'own form'
}

/** A table, with everything that is said about it besides the statements of the migrations that make it. */
export interface Table<Name extends string = string, Of extends Columns = Columns, Numbered = true | undefined>
  extends Facts<string> {
  readonly name: Name
  readonly columns: Of
  readonly key: readonly string[]
  /** Whether its records have a number on their board, and so a reference (work 1). */
  readonly isNumbered?: Numbered
}

/** The type of the rows of a table, as Kysely reads and writes them. */
export type RowOf<Of extends Table> = { -readonly [Name in keyof Of['columns']]: ValueOf<Of['columns'][Name]> }

/** Declares a table. */
export const table = <
  const Name extends string,
  Of extends Columns,
  const Numbered extends true | undefined = undefined,
>(
  literal: Facts<keyof NoInfer<Of> & string> & {
    readonly name: Name
    readonly columns: Of
    readonly isNumbered?: Numbered
  },
): Table<Name, Of, Numbered> => ({ key: ['id'], ...literal })
