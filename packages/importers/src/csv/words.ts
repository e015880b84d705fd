/** The names of columns and the words in them that exports of Jira, Linear, GitHub, Trello and Plane use (exchange 2.5). */
import { CardPriority, CardStatus } from '@specboard/contract'
import type { NeutralCard, NeutralSpec } from '../neutral.ts'

/** What a column can hold. */
export type Field =
  | 'id'
  | 'title'
  | 'description'
  | 'status'
  | 'priority'
  | 'assignee'
  | 'author'
  | 'labels'
  | 'created'
  | 'updated'
  | 'due'
  | 'parent'
  | 'blocked_by'

/** Names as `plain` gives them. */
const names: Readonly<Record<Field, readonly string[]>> = {
  id: ['id', 'key', 'number', 'identifier', 'issue key', 'issue id', 'card id', 'sequence id'],
  title: ['title', 'summary', 'name', 'card name'],
  description: ['description', 'body', 'card description'],
  status: ['status', 'state', 'list', 'list name'],
  priority: ['priority'],
  assignee: ['assignee', 'assignees', 'assignee id', 'assigned to', 'members'],
  author: ['author', 'creator', 'created by'],
  labels: ['labels', 'label', 'tags'],
  created: ['created', 'created at', 'created date', 'date created'],
  updated: ['updated', 'updated at', 'updated date', 'last activity date'],
  due: ['due', 'due date', 'duedate', 'target date'],
  parent: ['parent', 'parent id', 'parent key', 'parent issue', 'epic', 'epic link', 'custom field epic link', 'spec'],
  blocked_by: ['blocked by', 'is blocked by', 'inward issue link blocks', 'depends on', 'dependencies'],
}

const fields: ReadonlyMap<string, Field> = new Map(
  Object.entries(names).flatMap(([field, known]) => known.map(name => [name, field as Field] as const)),
)

/** A name or word without case and signs: `createdAt`, `Created at` and `created_at` are one. */
export const plain = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

/** The field that a column of this name holds. */
export const fieldOf = (column: string): Field | undefined => fields.get(plain(column))

const statusWords: Readonly<Partial<Record<NeutralCard['status'], readonly string[]>>> = {
  not_started: ['to do', 'todo', 'backlog', 'open'],
  in_progress: ['in progress', 'doing'],
  validation: ['in review'],
  on_hold: ['blocked', 'on hold'],
  done: ['done', 'closed', 'completed'],
  cancelled: ['canceled', 'cancelled', 'wont do'],
}

const priorityWords: Readonly<Partial<Record<NeutralCard['priority'], readonly string[]>>> = {
  critical: ['urgent', 'highest'],
  none: ['lowest', 'no priority'],
}

/** The words of a table, and this service's own. */
const byWord = <Value extends string>(
  own: readonly Value[],
  table: Readonly<Partial<Record<Value, readonly string[]>>>,
) => new Map(own.flatMap(value => [value, ...(table[value] ?? [])].map(word => [plain(word), value] as const)))

export const statuses: ReadonlyMap<string, NeutralCard['status']> = byWord(CardStatus.options, statusWords)

export const priorities: ReadonlyMap<string, NeutralCard['priority']> = byWord(CardPriority.options, priorityWords)

/** The status of a spec whose row has the status of a card. */
export const specStatuses: Readonly<Record<NeutralCard['status'], NeutralSpec['status']>> = {
  not_started: 'draft',
  started: 'in_progress',
  in_progress: 'in_progress',
  validation: 'in_progress',
  on_hold: 'in_progress',
  done: 'done',
  cancelled: 'cancelled',
}
