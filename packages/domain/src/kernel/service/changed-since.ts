import { pathNames } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { cutTexts } from '../../lib/cut-texts.ts'
import type { Change } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { Context } from '../context.ts'
import { type Contents, loggedChanges } from '../logged-changes.ts'
import { valueBefore } from '../value-before.ts'
import type { Call } from './call.ts'
import { differingFields, fieldsToChange, representationOf } from './etag.ts'

/** A field that another call changed, as a 412 names it (board 6, crew 2.4). */
export interface ChangedField {
  readonly field: string
  /** What the caller began from; null where the log does not tell. */
  readonly before: unknown
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

/** The contents of the entries of a record after a `rev`; a guideline has the same entry on each of its boards. */
const contentsAfter = hot<{ id: string; rev: number }, Contents & { entity_type: string }>((db, param) =>
  db
    .selectFrom('events')
    .select(['entity_type', 'action', 'changes', 'details'])
    .where('entity_id', '=', param('id'))
    .where('rev', '>', param('rev'))
    .orderBy('rev')
    .orderBy('seq'),
)

/** The state that a refused call began from. */
export interface Began {
  readonly rev?: number | undefined
  readonly tag?: string | undefined
}

/** The state that the record is in. */
export interface Present {
  readonly etag: string
  readonly current: unknown
}

/** The fields that a refused call would change and that differ from what its caller read (board 6, crew 2.4). */
export async function changedSince(
  { db }: Context,
  { operation, input }: Call,
  began: Began,
  present: Present,
): Promise<ChangedField[]> {
  const representation = representationOf(operation)!
  const id = String(input.params[pathNames(representation.path).at(-1)!])
  const entries = began.rev === undefined ? [] : await contentsAfter(db, { id, rev: began.rev })
  const changes = entries.flatMap(entry => loggedChanges(entry.entity_type, entry))
  const marked = began.tag === undefined ? undefined : differingFields(representation, began.tag, present.etag)
  const found: ChangedField[] = []
  for (const field of fieldsToChange(operation, input.body)) {
    const own = changes.filter(change => isOf(change, field))
    // Without marks and without a log, any of them may have changed.
    if (marked === undefined ? own.length === 0 && entries.length > 0 : !marked.includes(field)) continue
    const current = (present.current as Readonly<Record<string, unknown>>)[field]
    const before = own.length === 0 ? null : valueBefore(field, current, own)
    const author = await authorOf(db, id, field)
    found.push({
      field,
      before: cutTexts(before, shownLength),
      current: cutTexts(current, shownLength),
      actor_name: author?.actor_name ?? null,
      at: author?.at ?? null,
    })
  }
  return found
}

/** Characters of each text that a 412 shows. */
const shownLength = 200

const isOf = ({ field: changed }: Change, field: string): boolean =>
  changed === field || changed.startsWith(`${field}.`)
