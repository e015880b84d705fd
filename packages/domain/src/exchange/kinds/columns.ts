import { Labels, ScreenMockup, Timestamp } from '@specboard/contract'
import { z } from 'zod'
import type { Written } from './forms.ts'

/** A column of a kind of record: its form in an archive, its form in the table, and what it references. */
export interface Column extends Written {
  /** The schema of the value in an archive. */
  readonly schema: z.ZodType
  /** The value for a line that lacks it; default null. */
  readonly absent?: unknown
  /** The kind of record that it references, or the column that says which kind. */
  readonly names?: ({ readonly kind: string } | { readonly kindIn: string }) & { readonly optional?: true }
  /**
   * Where ids of records and their parts occur: the value is one, or a list of them; it is a reference of the graph,
   * which contains one; or it is a list of objects in which members with these names are ids. Each has the service's
   * own form (walls 1).
   */
  readonly idsIn?: 'whole' | 'reference' | readonly string[]
  /** For an author: it may be a name that a caller chose. */
  readonly mayBeName?: true
  /** Whether members at any depth may reference records: those named `…_id` or `…_ids`, and the values in a change. */
  readonly namesInside?: true
  /** The part of the value that counts when two imports are compared; by default all of it. */
  readonly compared?: (value: unknown) => unknown
}

const plain = (schema: z.ZodType): Column => ({ schema, form: 'plain' })

/** The largest number of a counter in an archive: what counts on from it stays a safe integer. */
export const largestCount = 2 ** 52

/** A number that the service counts on from. */
const count = (least: number) => z.int().min(least).max(largestCount)

/** A stored value that is unchanged in an archive. */
export const column = {
  id: { ...plain(z.string()), idsIn: 'whole' },
  nullableId: { ...plain(z.string().nullable()), idsIn: 'whole' },
  text: plain(z.string()),
  nullableText: plain(z.string().nullable()),
  whole: plain(z.int()),
  nullableWhole: plain(z.int().nullable()),
  /** A counter, or a position. */
  count: plain(count(0)),
  /** The number of a record or of an entry. */
  ordinal: plain(count(1)),
  /** The number of a part on its record; older archives lack it. */
  part: plain(count(1).nullable().optional()),
  /** How often a record has changed; archives of version 1 lack it. */
  rev: { ...plain(count(1).optional()), absent: 1 },
  /** Attempts of work; older archives lack them. */
  attempts: { ...plain(count(0).optional()), absent: 0 },
  attemptLimit: plain(count(0).nullable().optional()),
  /** That of the record after an entry. */
  nullableRev: plain(count(1).nullable().optional()),
  time: plain(Timestamp),
  nullableTime: plain(Timestamp.nullable()),
} as const satisfies Readonly<Record<string, Column>>

export const titled = plain(z.string().min(1).max(500))

export const oneOf = (schema: z.ZodType): Column => plain(schema)

export const flag: Column = { schema: z.boolean(), form: 'flag' }

export const nullableFlag: Column = { schema: z.boolean().nullable(), form: 'nullable flag' }

/** A text and a flag that older archives lack. */
export const lateText: Column = { ...plain(z.string().nullable().optional()), absent: null }
export const lateFlag: Column = { schema: z.boolean().optional(), form: 'flag', absent: false }

/** A JSON column; null where its schema allows it. */
export const json = (schema: z.ZodType, more: Pick<Column, 'authorsIn' | 'idsIn' | 'namesInside'> = {}): Column => ({
  schema,
  form: 'json',
  ...more,
})

/** A list of reports or verdicts: imported ones are marked (walls 5). */
export const judgements = (schema: z.ZodType, more: Pick<Column, 'authorsIn' | 'idsIn' | 'namesInside'>): Column => ({
  ...json(schema, more),
  form: 'judgements',
})

/** A reference to a record of a kind, or of the kind in another column. */
export const naming = (kind: string): Column => ({ ...column.id, names: { kind } })
export const namingOrNull = (kind: string): Column => ({
  ...column.nullableId,
  names: { kind, optional: true },
})
export const namingBy = (kindIn: string): Column => ({ ...column.id, names: { kindIn } })

/** An agent, by its id or, if it is not an agent here, as `external:<name>`. */
export const author: Column = { ...plain(z.string().min(1)), isAuthor: true }
/** An author who may have been named freely by a caller. */
export const namedAuthor: Column = { ...author, mayBeName: true }
export const nullableAuthor: Column = { ...plain(z.string().nullable()), isAuthor: true }

export const texts = z.array(z.string())
export const labels = json(Labels)
export const mockups = { authorsIn: ['author_id'] } as const
export const mockupList = z.array(ScreenMockup)
