/** The tables of vibe-kanban that are read, in the forms of its versions (imports 5). */
import { Fields } from '../fields.ts'
import type { SqliteRow, SqliteValue } from '../sqlite.ts'

/**
 * A table by its names, the latest first, and the columns that are read: for some tables all of them, since values
 * without a counterpart are kept.
 */
export interface Table {
  readonly names: readonly string[]
  readonly columns: readonly string[] | 'all'
}

export const tables = {
  projects: { names: ['projects'], columns: 'all' },
  tasks: { names: ['tasks'], columns: 'all' },
  attempts: { names: ['workspaces', 'task_attempts'], columns: 'all' },
  sessions: { names: ['sessions'], columns: ['id', 'workspace_id', 'executor'] },
  processes: {
    names: ['execution_processes'],
    columns: ['id', 'session_id', 'task_attempt_id', 'run_reason', 'process_type', 'status', 'exit_code'],
  },
  turns: {
    names: ['coding_agent_turns', 'executor_sessions'],
    columns: ['id', 'execution_process_id', 'task_attempt_id', 'prompt', 'summary'],
  },
  merges: {
    names: ['merges'],
    columns: [
      ...['id', 'workspace_id', 'task_attempt_id', 'merge_commit', 'target_branch_name'],
      ...['pr_number', 'pr_url', 'pr_status', 'pr_merged_at', 'pr_merge_commit_sha'],
    ],
  },
  pullRequests: {
    names: ['tracked_prs'],
    columns: [
      ...['id', 'workspace_id', 'pr_url', 'pr_number', 'pr_status', 'target_branch_name'],
      ...['merged_at', 'merge_commit_sha'],
    ],
  },
  tags: {
    names: ['tags', 'task_templates'],
    columns: [
      ...['id', 'project_id', 'tag_name', 'template_name', 'title', 'content', 'description'],
      ...['created_at', 'updated_at'],
    ],
  },
  repos: { names: ['repos'], columns: 'all' },
  projectRepos: { names: ['project_repos'], columns: 'all' },
} as const satisfies Readonly<Record<string, Table>>

export type TableName = keyof typeof tables

/** A row without bytes: ids are converted to UUIDs, other bytes to text or digits. */
export type Row = Readonly<Record<string, string | number | null>>

/** The rows of the database. */
export type Rows = Readonly<Record<TableName, readonly Row[]>>

/** A row as text and numbers. */
export const legible = (row: SqliteRow): Row =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, legibleValue(column, value)]))

function legibleValue(column: string, value: SqliteValue): string | number | null {
  if (typeof value === 'bigint') return String(value)
  if (!(value instanceof Uint8Array)) return value
  return (isId(column) ? null : textIn(value)) ?? digitsOf(value)
}

const isId = (column: string): boolean => column === 'id' || column.endsWith('_id') || column === 'parent_task_attempt'

/** Bytes as text; null if they are not valid text. */
function textIn(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** Bytes as hexadecimal digits; 16 bytes have the form of a UUID. */
const digitsOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The first of the columns that has a value, as text; null if none has. */
export function text(row: Row, ...columns: readonly string[]): string | null {
  for (const column of columns) {
    const value = String(row[column] ?? '')
    if (value.trim() !== '') return value
  }
  return null
}

/** The first of the columns that has an id, in lower case; null if none has. */
export const id = (row: Row, ...columns: readonly string[]): string | null =>
  text(row, ...columns)
    ?.trim()
    .toLowerCase() ?? null

/** The columns of a row with meaningful values; flags that are off are left out. */
export const fieldsOf = (row: Row): Fields =>
  new Fields(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== 0)))
