import { Labels, ScreenMockup, Timestamp } from '@specboard/contract'
import { z } from 'zod'
import type { ColumnFacts, Names } from '../../schema/columns.ts'
import type { Table } from '../../schema/table.ts'
import { tableNamed } from '../../schema/tables/all.ts'
import type { Form, WrittenColumn } from './forms.ts'

/** The facts about a column in an archive that the definition of its table does not contain. */
interface InArchive {
  /** The schema of the value in an archive. */
  readonly schema: z.ZodType
  /** The value for a line that lacks it; default null. */
  readonly absent?: unknown
  /** The part of the value that counts when two imports are compared; by default all of it. */
  readonly compared?: (value: unknown) => unknown
}

/** A column of a kind of record: its form in an archive, its form in the table, and what it references. */
export interface Column extends InArchive, WrittenColumn, Names {
  /** The kind of record that it references, or the column that says which kind. */
  readonly names?: ({ readonly kind: string } | { readonly kindIn: string }) & { readonly optional?: true }
  /** For an author: it may be a name that a caller chose. */
  readonly mayBeName?: true
}

/** A declared column: the schema of its value, and whatever its table does not define or stores differently. */
type ColumnDeclaration = z.ZodType | (InArchive & Names & Pick<Column, 'names'> & { readonly form?: Form })

/** How a column is stored in its table. */
function formOf({ stored, isNullable }: ColumnFacts): Form {
  if (stored === 'flag') return isNullable ? 'nullable flag' : 'flag'
  return stored === 'json' ? 'json' : 'plain'
}

/** What a column references, in the words of archives. */
function namesOf({ names, isNullable }: ColumnFacts): Pick<Column, 'names'> {
  if (names === undefined) return {}
  if ('kindIn' in names) return { names }
  const kind = tableNamed(names.table)!.archived!
  return { names: { kind, ...(isNullable && { optional: true }) } }
}

function columnOf(name: string, facts: ColumnFacts | undefined, declared: ColumnDeclaration): Column {
  const inArchive = declared instanceof z.ZodType ? { schema: declared } : declared
  if (facts === undefined) return { form: 'plain', ...inArchive }
  const { isAuthor, mayBeName, authorsIn, idsIn, namesInside } = facts
  return {
    form: formOf(facts),
    ...namesOf(facts),
    ...(name === 'id' ? { idsIn: 'whole' } : idsIn && { idsIn }),
    ...(isAuthor && { isAuthor }),
    ...(mayBeName && { mayBeName }),
    ...(authorsIn && { authorsIn }),
    ...(namesInside && { namesInside }),
    ...inArchive,
  }
}

/** Columns of a table as an archive has them, in the order of a line; it may have more than the table. */
export const columnsOf = (
  table: Table,
  declared: Readonly<Record<string, ColumnDeclaration>>,
): Readonly<Record<string, Column>> =>
  Object.fromEntries(Object.entries(declared).map(([name, of]) => [name, columnOf(name, table.columns[name], of)]))

/** Maximum value of a counter in an archive, so that counting on from it stays within safe integers. */
export const largestCount = 2 ** 52

/** A number from which the service continues counting. */
const count = (min: number) => z.int().min(min).max(largestCount)

/** Schemas of values in an archive, with the value for lines of older archives that lack it. */
export const column = {
  id: z.string(),
  nullableId: z.string().nullable(),
  text: z.string(),
  nullableText: z.string().nullable(),
  whole: z.int(),
  nullableWhole: z.int().nullable(),
  /** A counter, or a position. */
  count: count(0),
  /** The number of a record or of an entry. */
  ordinal: count(1),
  /** The number of a part on its record; older archives lack it. */
  part: count(1).nullable().optional(),
  /** How often a record has changed; archives of version 1 lack it. */
  rev: { schema: count(1).optional(), absent: 1 },
  /** Attempts of work; older archives lack them. */
  attempts: { schema: count(0).optional(), absent: 0 },
  attemptLimit: count(0).nullable().optional(),
  /** The `rev` of the record after an entry. */
  nullableRev: count(1).nullable().optional(),
  time: Timestamp,
  nullableTime: Timestamp.nullable(),
} as const

export const titled = z.string().min(1).max(500)

/** A text and a flag that older archives lack. */
export const lateText = { schema: z.string().nullable().optional(), absent: null }
export const lateFlag = { schema: z.boolean().optional(), absent: false }

/** An agent, by its id or, if it is not an agent here, as `external:<name>`. */
export const author = z.string().min(1)

export const texts = z.array(z.string())
export const labels = Labels
export const mockupList = z.array(ScreenMockup)

export const object = z.record(z.string(), z.unknown())
export const ownerType = z.enum(['ideation', 'refinement', 'spec', 'card'])
export const list = <Item extends z.ZodType>(item: Item) => z.array(item)

/** Columns that a later import changes together. */
export const archiving = ['archived', 'pre_archive_status'] as const

export const authored = { created_by: author, created_at: column.time, updated_at: column.time } as const
