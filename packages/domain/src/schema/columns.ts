/**
 * The columns of table literals: what is stored in them, whom they name, and what raises the `rev` of their row. Both
 * databases store text for ids, times, enumerations and JSON, and 0 or 1 for booleans.
 */
import type { Json } from '@specboard/storage'
import type { Generated } from 'kysely'
import type { z } from 'zod'

/** 0 or 1. */
export type Flag = 0 | 1

/** Which ids of records a value contains. */
export interface Names {
  /**
   * Where ids of records and their parts occur: `whole` if the value is an id or a list of ids; `reference` if it is a
   * reference of the graph, which contains an id; or the names of the members that are ids, in a list of objects (walls
   * 1).
   */
  readonly idsIn?: 'whole' | 'reference' | readonly string[]
  /** Whether members at any depth may reference records: those named `…_id` or `…_ids`, and the values in a change. */
  readonly namesInside?: true
  /** Members at any depth that name agents. */
  readonly authorsIn?: readonly string[]
}

/** What a table literal says about a column. */
export interface ColumnFacts extends Names {
  readonly stored: 'text' | 'whole' | 'real' | 'bytes' | 'flag' | 'json'
  readonly isNullable?: true
  /** Whether the database fills it in when an inserted row lacks it. */
  readonly isGenerated?: true
  /** The foreign key, and what happens to the row when the referenced one is deleted. */
  readonly references?: { readonly table: string; readonly column: string; readonly onDelete: 'cascade' | 'set null' }
  /** The table of the record that it names, or the column that says of which kind the record is. */
  readonly names?: { readonly table: string } | { readonly kindIn: string }
  /** Whether it names an agent; on a board with imported records it may be an author who is not an agent here. */
  readonly isAuthor?: true
  /** For an author: it may be a name that a caller chose. */
  readonly mayBeName?: true
  /** Whether it is one of the record's own fields, whose change raises its `rev` (crew 2.1). */
  readonly isOwn?: true
}

declare const value: unique symbol

/** A column with the type of its values, as Kysely reads and writes them. The type exists only for the compiler. */
export interface Column<Value> extends ColumnFacts {
  readonly [value]: Value
}

/** The type of the values of a column. */
export type ValueOf<Of extends Column<unknown>> = Of[typeof value]

const column = <Value>(facts: ColumnFacts) => facts as Column<Value>

export const text = column<string>({ stored: 'text' })
export const whole = column<number>({ stored: 'whole' })
export const real = column<number>({ stored: 'real' })
export const flag = column<Flag>({ stored: 'flag' })
export const bytes = column<Uint8Array>({ stored: 'bytes' })
/** Bytes that only PostgreSQL stores. */
export const buffer = column<Buffer>({ stored: 'bytes' })

/** One of a set of texts. */
export const oneOf = <Value extends string>() => text as Column<Value>

/** One of a set of whole numbers. */
export const numberOf = <Value extends number>() => whole as Column<Value>

/** The JSON of a value. */
export const json = <Value>(names: Names = {}) => column<Json<Value>>({ stored: 'json', ...names })

/** The JSON of a value that a schema of the contract describes, with defaults filled in. */
export const jsonOf = <Schema extends z.ZodType>(names?: Names) => json<z.output<Schema>>(names)

/** The JSON of a list of such values. */
export const listOf = <Schema extends z.ZodType>(names?: Names) => json<z.output<Schema>[]>(names)

/** The JSON of an object whose members only its writer knows. */
export const jsonObject = (names?: Names) => json<Record<string, unknown>>(names)

export const nullable = <Value>(of: Column<Value>) => column<Value | null>({ ...of, isNullable: true })

/** A value that the database fills in. */
export const generated = <Value>(of: Column<Value>) => column<Generated<Value>>({ ...of, isGenerated: true })

/** One of the record's own fields. */
export const own = <Value>(of: Column<Value>): Column<Value> => ({ ...of, isOwn: true })

/** A foreign key. */
export const references = <Value>(
  of: Column<Value>,
  table: string,
  name: string,
  onDelete: 'cascade' | 'set null' = 'cascade',
): Column<Value> => ({ ...of, references: { table, column: name, onDelete } })

/** The id of a record of a table; by default, the row is deleted together with that record. */
export const id = (table: string, onDelete?: 'set null'): Column<string> => ({
  ...references(text, table, 'id', onDelete),
  idsIn: 'whole',
  names: { table },
})

/** The board of the row. */
export const ofBoard = references(text, 'boards', 'id')

/** The id of a record of a table; the record may no longer exist. */
export const idOf = (table: string): Column<string> => ({ ...text, idsIn: 'whole', names: { table } })

/** The id of a record of the kind in another column. */
export const idBy = (kindIn: string): Column<string> => ({ ...text, idsIn: 'whole', names: { kindIn } })

/** The id of a record of any kind; the record may no longer exist. */
export const anyId: Column<string> = { ...text, idsIn: 'whole', namesInside: true }

/** A text that contains a reference of the graph. */
export const graphReference: Column<string> = { ...text, idsIn: 'reference' }

/** A text that may be the id of a record. */
export const idOrText: Column<string> = { ...text, namesInside: true }

/** Whoever made something: an agent, or `external:<name>` (exchange 1). */
export const author: Column<string> = { ...text, isAuthor: true }

/** An author whom a caller may have named freely. */
export const namedAuthor: Column<string> = { ...author, mayBeName: true }
