import { pathNames } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { cutTexts } from '../../lib/cut-texts.ts'
import { sameJson } from '../../lib/json.ts'
import type { Change } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { Context } from '../context.ts'
import { type Contents, loggedChanges } from '../logged-changes.ts'
import { valueBefore } from '../value-before.ts'
import type { Call } from './call.ts'
import { differingFields, fieldsToChange, ownFieldsOf, representationOf } from './etag.ts'

/** A field that another call changed, as a 412 names it (board 6, crew 2.4). */
export interface ChangedField {
  readonly field: string
  /** The value that the caller started from; null if the log does not show it. */
  readonly before: unknown
  readonly current: unknown
  /** Who changed it last, and when; null if the log does not show it. */
  readonly actor_name: string | null
  readonly at: string | null
}

/** The number of a record's last entries that are searched for a change. */
const searched = 50

interface Author {
  actor_name: string
  at: string
}

/** The latest of a record's entries that contains one of several texts, or else its last one. */
const lastAuthor = hot<{ id: string; texts: string }, Author>(
  (_, param) => sql<Author>`select actor_name, created_at as at from (
      select seq, actor_name, created_at, coalesce(changes, '') || coalesce(details, '') as contents
      from events where entity_id = ${param('id')} order by seq desc limit ${sql.lit(searched)}) entry
    order by exists (select 1 from ${dialect.jsonElements(sql`${param('texts')}`)} as text
      where ${dialect.contains(sql.ref('entry.contents'), sql.ref('text.value'))}) desc, seq desc
    limit 1`,
)

/**
 * The names of a field in entries: in a history or a card's activity, the name alone or with a part of it; in a board's
 * activity, with old and new value; in the move of a card.
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

/** The contents of a record's entries after a `rev`; a guideline has the same entry on each of its boards. */
const contentsAfter = hot<{ id: string; rev: number }, Contents & { entity_type: string }>((db, param) =>
  db
    .selectFrom('events')
    .select(['entity_type', 'action', 'changes', 'details'])
    .where('entity_id', '=', param('id'))
    .where('rev', '>', param('rev'))
    .orderBy('rev')
    .orderBy('seq'),
)

/** The changes made to a record by others than the caller since a time, oldest first, with their authors. */
const changesSince = hot<
  { id: string; since: string },
  Contents & { entity_type: string; actor_id: string; actor_name: string; created_at: string }
>((db, param) =>
  db
    .selectFrom('events')
    .select(['entity_type', 'action', 'changes', 'details', 'actor_id', 'actor_name', 'created_at'])
    .where('entity_id', '=', param('id'))
    .where('created_at', '>=', param('since'))
    .orderBy('rev')
    .orderBy('seq'),
)

/** Two agents seldom work at once on a text shorter than this, characters. */
const shortText = 40

/**
 * The texts that a call would overwrite although another agent has just written them (crew 2.3). This needs no memory
 * of what was shown to whom.
 * @param since the time after which others may have written unseen; the creation of a record overwrites nothing
 */
export async function replacedTexts(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  { operation, input }: Call,
  { since, read }: { readonly since: string; readonly read: () => Promise<Members> },
): Promise<ChangedField[]> {
  const id = String(input.params[pathNames(representationOf(operation)!.path).at(-1)!])
  const entries = (await changesSince(db, { id, since })).filter(({ action }) => !action?.endsWith('_created'))
  if (entries.every(entry => entry.actor_id === caller.id)) return []
  const current = await read()
  const body = input.body as Readonly<Record<string, unknown>>
  // A body that removes an element by its text or id does not name the list that contains it.
  const fields = Array.isArray(body.remove)
    ? ownFieldsOf(representationOf(operation)!)
    : fieldsToChange(operation, body)
  return fields.flatMap(field => {
    const changes = entries.flatMap(entry =>
      loggedChanges(entry.entity_type, entry).flatMap(change => (isOf(change, field) ? [{ change, entry }] : [])),
    )
    const theirs = changes.findLast(({ change }) => replaces(field, change, body, current))
    if (theirs === undefined || theirs.entry.actor_id === caller.id) return []
    const { actor_name, created_at: at } = theirs.entry
    const [before, now] = [theirs.change.old ?? null, current[field]]
    return [{ field, before: cutTexts(before, shownLength), current: cutTexts(now, shownLength), actor_name, at }]
  })
}

type Members = Readonly<Record<string, unknown>>

/** Whether a body would overwrite a text that a change wrote and that is stored. */
function replaces(field: string, change: Change, body: Members, current: Members): boolean {
  const [stored, sent] = [current[field], body[field]]
  if (typeof stored === 'string')
    return sent !== undefined && sent !== stored && stored.length > shortText && change.new === stored
  if (!Array.isArray(stored)) return false
  return writtenIn(field, change).some(element =>
    typeof element === 'string' ? losesText(element, stored, field, body) : losesItem(element, stored, sent),
  )
}

/** The elements of a list that a change wrote: for a whole list, those that it did not have before. */
function writtenIn(field: string, change: Change): readonly unknown[] {
  if (change.field !== field) return change.new == null ? [] : [change.new]
  const [old, now] = [change.old, change.new].map(value => (Array.isArray(value) ? value : [])) as [
    unknown[],
    unknown[],
  ]
  return now.filter(element => !old.some(other => sameJson(other, element)))
}

/**
 * Whether a text of a list would be lost: because another list replaces this one, or because the text is reworded or
 * removed.
 */
function losesText(text: string, stored: readonly unknown[], field: string, body: Members): boolean {
  if (!stored.includes(text)) return false
  const sent = body[field]
  if (Array.isArray(body.remove) && body.remove.includes(text)) return true
  if (sent === null || (Array.isArray(sent) && sent.length === 0 && body.lists !== undefined)) return true
  if (!Array.isArray(sent)) return false
  if (sent.some(entry => (entry as Members | null)?.was === text && (entry as Members).text !== text)) return true
  return body.lists === 'replace' && !sent.includes(text)
}

/** Whether a text of an item would be overwritten by another one. */
function losesItem(element: unknown, stored: readonly unknown[], sent: unknown): boolean {
  const id = (element as Members | null)?.id
  if (id === undefined || !Array.isArray(sent)) return false
  const is = (item: unknown) => (item as Members | null)?.id === id
  const [existing, replacement] = [stored.find(is) as Members | undefined, sent.find(is) as Members | undefined]
  if (existing === undefined || replacement === undefined) return false
  return Object.entries(existing).some(
    ([name, text]) =>
      typeof text === 'string' &&
      text.length > shortText &&
      (element as Members)[name] === text &&
      replacement[name] !== undefined &&
      replacement[name] !== text,
  )
}

/** The state that a refused call started from. */
export interface Began {
  readonly rev?: number | undefined
  readonly tag?: string | undefined
}

/** The state that the record is in. */
export interface PresentState {
  readonly etag: string
  readonly current: unknown
}

/** The fields that a refused call would change and that differ from what its caller read (board 6, crew 2.4). */
export async function changedSince(
  { db }: Context,
  { operation, input }: Call,
  began: Began,
  present: PresentState,
): Promise<ChangedField[]> {
  const representation = representationOf(operation)!
  const id = String(input.params[pathNames(representation.path).at(-1)!])
  const entries = began.rev === undefined ? [] : await contentsAfter(db, { id, rev: began.rev })
  const changes = entries.flatMap(entry => loggedChanges(entry.entity_type, entry))
  const marked = began.tag === undefined ? undefined : differingFields(representation, began.tag, present.etag)
  const found: ChangedField[] = []
  for (const field of fieldsToChange(operation, input.body)) {
    const own = changes.filter(change => isOf(change, field))
    // Without field marks and without a log, any of them may have changed.
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

/** The number of characters of each text that a 412 shows. */
const shownLength = 200

const isOf = ({ field: changed }: Change, field: string): boolean =>
  changed === field || changed.startsWith(`${field}.`)
