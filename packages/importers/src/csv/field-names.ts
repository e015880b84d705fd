/** The column names in exports of other tools, by field (imports 5). */
import { plain } from '../words/plain.ts'

/** Names as `plain` returns them. Of several columns for one field, the name that is first here takes precedence. */
const names = {
  id: [
    ...['issue key', 'work item key', 'key', 'identifier', 'id', 'card id', 'task id', 'work item id'],
    ...['issue id', 'number', 'iid', 'issue iid', 'sequence id', '#', 'no'],
  ],
  url: ['url', 'html url', 'web url', 'issue url', 'card url'],
  title: ['title', 'summary', 'name', 'card name', 'subject', 'task name', 'issue title'],
  description: ['description', 'body', 'card description', 'notes'],
  status: ['status', 'state', 'list', 'list name', 'section column', 'column name', 'work item state'],
  status_category: ['status category'],
  resolution: ['resolution', 'state reason', 'resolved reason'],
  reason: ['reason'],
  closed: [
    ...['closed', 'closed at', 'closed at utc', 'closed date', 'closed on', 'date closed', 'completed'],
    ...['completed at', 'completed date', 'completed on', 'date completed', 'resolved', 'resolved at'],
    ...['resolved date', 'resolution date', 'resolved on', 'done date'],
  ],
  cancelled: ['canceled', 'cancelled', 'canceled at', 'cancelled at'],
  complete: ['due complete', 'is completed', 'is done'],
  archived: ['archived', 'is archived', 'archived at'],
  priority: ['priority'],
  severity: ['severity'],
  type: ['issue type', 'work item type', 'work type', 'type', 'tracker'],
  assignee: ['assignee', 'assigned to', 'owner'],
  assignees: ['assignees', 'members'],
  assignee_id: ['assignee id', 'assignee account id'],
  assignee_username: ['assignee username'],
  author: ['author', 'creator', 'created by', 'opened by'],
  author_id: ['author id', 'creator id'],
  reporter: ['reporter', 'reported by', 'requester', 'requested by'],
  reporter_id: ['reporter id', 'reporter account id'],
  labels: ['labels', 'label', 'tags'],
  created: ['created', 'created at', 'created at utc', 'created date', 'created on', 'date created', 'opened at'],
  updated: [
    ...['updated', 'updated at', 'updated at utc', 'updated date', 'updated on', 'last activity date'],
    ...['changed date', 'last modified', 'last updated', 'modified'],
  ],
  due: ['due', 'due date', 'duedate', 'due on', 'due at', 'target date', 'deadline'],
  parent: [
    ...['parent key', 'parent', 'parent id', 'parent issue', 'parent task', 'parent work item', 'parent iid'],
    'custom field parent link',
  ],
  parent_title: ['parent summary', 'parent title', 'parent name', 'parent task subject'],
  epic: ['epic link', 'custom field epic link', 'epic id', 'epic', 'spec'],
  epic_title: ['epic title'],
  blocked_by: [
    ...['blocked by', 'is blocked by', 'inward issue link blocks', 'inward issue link blocker', 'depends on'],
    ...['dependencies', 'blocked by dependencies', 'outward issue link dependency', 'outward issue link depends'],
  ],
  blocks: [
    ...['blocks', 'blocking', 'outward issue link blocks', 'outward issue link blocker', 'blocking dependencies'],
    ...['inward issue link dependency', 'inward issue link depends'],
  ],
  related: ['related issues'],
  comment: ['comment', 'comments'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The fields that a column can contain. */
export type Field = keyof typeof names

export const fieldNames = Object.keys(names) as readonly Field[]

/** The field and the rank of each name. */
const ranked: ReadonlyMap<string, { readonly field: Field; readonly rank: number }> = new Map(
  fieldNames.flatMap(field => names[field].map((name, rank) => [name, { field, rank }] as const)),
)

/** A column's name without case and punctuation; Redmine's number column is only a `#`. */
const nameOf = (column: string): string => (column.trim() === '#' ? '#' : plain(column))

/** The field that a column with this name contains. */
export const fieldOf = (column: string): Field | undefined => ranked.get(nameOf(column))?.field

/** The rank of a column among those of its field: less is better. */
export const rankOf = (column: string): number => ranked.get(nameOf(column))?.rank ?? Number.POSITIVE_INFINITY

/** The level of a column `Title 2`, in which Azure DevOps writes the titles of a tree; undefined for any other. */
export function titleLevel(column: string): number | undefined {
  const [word, level, ...more] = plain(column).split(' ')
  return word === 'title' && more.length === 0 && level !== undefined && /^[1-9]$/.test(level)
    ? Number(level)
    : undefined
}

/** The field that a mapping names: by its own name, or by a column name. */
export const mappedField = (name: string): Field | undefined =>
  fieldNames.find(field => field === name.trim()) ?? fieldOf(name)
