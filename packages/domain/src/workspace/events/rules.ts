import { type BoardEvent, EventEntity, type Permission } from '@specboard/contract'
import type { z } from 'zod'
import type { Access } from '../../kernel/access/access.ts'
import { changeActions } from '../../kernel/change-actions.ts'
import { DomainError } from '../../kernel/errors.ts'

/** An event as a reader gets it (work 5). */
export type Event = z.output<typeof BoardEvent>

type Kind = Event['entity_type']

/**
 * The permission for reading the events of a kind of record, and for some kinds another one for their contents, as for
 * reading their history or activity.
 */
const readingOf: Readonly<Record<Kind, { readonly read: Permission; readonly contents?: Permission }>> = {
  board: { read: 'BOARDS_READ' },
  ideation: { read: 'IDEATIONS_READ', contents: 'IDEATIONS_READ_HISTORY' },
  refinement: { read: 'REFINEMENTS_READ', contents: 'REFINEMENTS_READ_HISTORY' },
  spec: { read: 'SPECS_READ', contents: 'SPECS_READ_HISTORY' },
  sprint: { read: 'SPRINTS_READ', contents: 'SPRINTS_READ_HISTORY' },
  card: { read: 'CARDS_READ', contents: 'CARDS_READ_ACTIVITY' },
  architecture_design: { read: 'ARCHITECTURE_READ' },
  guideline: { read: 'GUIDELINES_READ' },
}

/** Whether a reader gets events about a kind of record: it may list the board's events, and read the kind (walls 4). */
const mayReadKind = (kind: Kind, access: Access): boolean =>
  access.allows('BOARDS_READ') && access.allows(readingOf[kind].read)

/** The kinds of record whose events a reader gets. */
export const readableKinds = (access: Access): readonly Kind[] =>
  EventEntity.options.filter(kind => mayReadKind(kind, access))

const ofChanges: ReadonlySet<string> = new Set(changeActions)

/** Whether a reader gets an event at all. */
export const mayRead = ({ entity_type, action }: Pick<Event, 'entity_type' | 'action'>, access: Access): boolean =>
  mayReadKind(entity_type, access) && (!ofChanges.has(action) || access.allows('CHANGES_READ'))

/** Actions about a part of a record, with the permission for reading that part. */
const parts: readonly (readonly [action: RegExp, permission: Permission])[] = [
  [/(^|_)question_/, 'QA_READ'],
  [/(^|_)knowledge_/, 'KNOWLEDGE_READ'],
  [/^comment_/, 'COMMENTS_READ'],
  [/^attachment_/, 'ATTACHMENTS_READ'],
  [/^validation_/, 'CARDS_READ_VALIDATIONS'],
  [/^spec_validation_/, 'SPECS_READ_VALIDATIONS'],
  [/^spec_evaluation_/, 'SPECS_READ_VALIDATIONS'],
  [/^sprint_evaluation_/, 'SPRINTS_READ_EVALUATIONS'],
  [/^agent_/, 'AGENTS_READ'],
  [/^repository_/, 'REPOSITORIES_READ'],
]

/** Fields with a read permission of their own. */
const guardedFields: Readonly<Record<string, Permission>> = {
  conclusions: 'CARDS_READ_CONCLUSIONS',
  validations: 'CARDS_READ_VALIDATIONS',
}

/** The contents that every reader of the event gets: the records it is about, and the statuses of a move. */
const isPlain = (name: string): boolean => name.endsWith('_id') || name === 'status' || name.endsWith('_status')

/** An event without the contents that its reader may not read (work 5). */
export function withoutUnreadable(event: Event, access: Access): Event {
  if (!mayReadContents(event, access)) {
    const details = Object.entries(event.details ?? {}).filter(([name]) => isPlain(name))
    const changes = (event.changes ?? []).filter(({ field }) => isPlain(field))
    return {
      ...event,
      details: details.length === 0 ? null : Object.fromEntries(details),
      changes: changes.length === 0 ? null : changes,
    }
  }
  if (event.details?.cause !== undefined && !access.allows('CHANGES_READ')) {
    const { cause: _, ...details } = event.details
    return withoutUnreadable({ ...event, details }, access)
  }
  const hidden = (field: string) => Object.hasOwn(guardedFields, field) && !access.allows(guardedFields[field]!)
  const changes = event.changes?.filter(({ field }) => !hidden(field)) ?? null
  return changes?.length === event.changes?.length ? event : { ...event, changes }
}

function mayReadContents({ entity_type, action, details }: Event, access: Access): boolean {
  const permissions = [
    readingOf[entity_type].contents,
    parts.find(([pattern]) => pattern.test(action))?.[1],
    entity_type === 'architecture_design' ? readingOf[details?.parent_type as Kind]?.read : undefined,
  ]
  return permissions.every(permission => permission === undefined || access.allows(permission))
}

/** How far a reader has read among the entries of all boards (board 2). */
export interface ReadPosition {
  readonly position: number
  /**
   * Later positions of entries that had been committed when the reader began, ascending: they waited for a unit of work
   * that had begun before theirs, and do not belong to what happens "from now on".
   */
  readonly past: readonly number[]
}

const cursorText = /^events (\d{1,16})((?: \d{1,16})*)$/

/** The cursor for a reader's position. */
export const cursorOf = ({ position, past }: ReadPosition): string =>
  Buffer.from(['events', position, ...past.filter(place => place > position)].join(' ')).toString('base64url')

/**
 * The position in a cursor.
 * @param bounds the positions of the last archived entry and of the last one: a cursor before the former has missed
 *   entries, one beyond the latter comes from another service, or from before a restore
 * @throws DomainError INVALID_CURSOR
 */
export function reachedBy(
  cursor: string,
  { first, last }: { readonly first: number; readonly last: number },
): ReadPosition {
  const [, digits, further = ''] = cursorText.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const reached = { position: Number(digits), past: further.split(' ').slice(1).map(Number) }
  if (digits !== undefined && reached.position < first)
    throw new DomainError(
      'INVALID_CURSOR',
      'Events after this cursor have been archived. Read the records again, and start without a cursor.',
    )
  if (digits !== undefined && reached.position <= last && cursorOf(reached) === cursor) return reached
  throw new DomainError('INVALID_CURSOR', 'This cursor is not known here. Begin again without one.')
}
