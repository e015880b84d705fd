import { pathNames } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { Context } from '../context.ts'
import type { Call } from './call.ts'
import { differingFields, fieldsToChange, representationOf } from './etag.ts'

/** A field that another call changed, as a 412 names it (board 6). */
export interface ChangedField {
  readonly field: string
  readonly current: unknown
  /** Who changed it last, and when; null where the log does not tell. */
  readonly actor_name: string | null
  readonly at: string | null
}

/** How many of a record's last entries are searched for a change. */
const searched = 50

interface Author {
  actor_name: string
  at: string
}

/** The last of a record's entries that has one of some texts, else its last one. */
const lastAuthor = hot<{ id: string; texts: string }, Author>(
  (_, param) => sql<Author>`select actor_name, created_at as at from (
      select seq, actor_name, created_at, coalesce(changes, '') || coalesce(details, '') as contents
      from events where entity_id = ${param('id')} order by seq desc limit ${sql.lit(searched)}) entry
    order by exists (select 1 from ${dialect.jsonElements(sql`${param('texts')}`)} as text
      where ${dialect.contains(sql.ref('entry.contents'), sql.ref('text.value'))}) desc, seq desc
    limit 1`,
)

/**
 * How entries name a field: in a history or a card's activity, as it is or with a part of it; in a board's activity, with
 * old and new value; in the move of a card.
 */
const namesOf = (field: string): readonly string[] => [
  `{"field":"${field}"`,
  `{"field":"${field}.`,
  `"${field}":[`,
  ...(field === 'status' ? ['"to_status":'] : []),
]

async function authorOf(db: Db, id: string, field: string): Promise<Author | undefined> {
  const [author] = await lastAuthor(db, { id, texts: JSON.stringify(namesOf(field)) })
  return author
}

/** The fields that a refused call would change and that differ from what its caller read (board 6). */
export async function changedSince(
  { db }: Context,
  { operation, input }: Call,
  read: { readonly tag: string; readonly etag: string; readonly current: unknown },
): Promise<ChangedField[]> {
  const representation = representationOf(operation)!
  const differing = new Set(differingFields(representation, read.tag, read.etag))
  const id = String(input.params[pathNames(representation.path).at(-1)!])
  const found: ChangedField[] = []
  for (const field of fieldsToChange(operation, input.body)) {
    if (!differing.has(field)) continue
    const author = await authorOf(db, id, field)
    const current = (read.current as Readonly<Record<string, unknown>>)[field]
    found.push({ field, current, actor_name: author?.actor_name ?? null, at: author?.at ?? null })
  }
  return found
}
