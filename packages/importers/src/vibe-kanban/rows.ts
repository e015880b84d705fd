/** The tables of vibe-kanban that are read, in the forms of its versions (imports 5). */
import type { SqliteRow, SqliteValue } from '../sqlite.ts'

/** A table by its names, the latest first, and the columns that are read. */
export interface Table {
  readonly names: readonly string[]
  readonly columns: readonly string[]
}

const times = ['created_at', 'updated_at']

export const tables = {
  projects: {
    names: ['projects'],
    columns: [
      ...['id', 'name', 'git_repo_path', 'setup_script', 'dev_script', 'cleanup_script', 'copy_files'],
      ...['dev_script_working_dir', 'default_agent_working_dir', ...times],
    ],
  },
  tasks: {
    names: ['tasks'],
    columns: [
      ...['id', 'project_id', 'title', 'description', 'status', 'parent_workspace_id', 'parent_task_attempt'],
      ...['priority', 'due_date', 'archived', 'deleted_at', ...times],
    ],
  },
  attempts: {
    names: ['workspaces', 'task_attempts'],
    columns: [
      ...['id', 'task_id', 'name', 'branch', 'target_branch', 'base_branch', 'executor', 'base_coding_agent'],
      ...['container_ref', 'worktree_path', 'merge_commit', 'pr_url', 'pr_number', 'pr_status', 'archived', ...times],
    ],
  },
  sessions: { names: ['sessions'], columns: ['id', 'workspace_id', 'executor', ...times] },
  processes: {
    names: ['execution_processes'],
    columns: ['id', 'session_id', 'task_attempt_id', 'run_reason', 'process_type', 'status', ...times],
  },
  turns: {
    names: ['coding_agent_turns', 'executor_sessions'],
    columns: ['id', 'execution_process_id', 'task_attempt_id', 'prompt', 'summary', 'created_at'],
  },
  merges: {
    names: ['merges'],
    columns: [
      ...['id', 'workspace_id', 'task_attempt_id', 'merge_type', 'merge_commit', 'target_branch_name', 'pr_number'],
      ...['pr_url', 'pr_status', 'pr_merged_at', 'pr_merge_commit_sha', 'created_at'],
    ],
  },
  tags: {
    names: ['tags', 'task_templates'],
    columns: ['id', 'project_id', 'tag_name', 'template_name', 'title', 'content', 'description', ...times],
  },
  repos: { names: ['repos'], columns: ['id', 'path', 'name', 'display_name'] },
  projectRepos: { names: ['project_repos'], columns: ['project_id', 'repo_id'] },
} as const satisfies Readonly<Record<string, Table>>

export type TableName = keyof typeof tables

/** The rows of the database. */
export type Rows = Readonly<Record<TableName, readonly SqliteRow[]>>

/** The value of a column as text; null if it is missing, empty, or bytes that are not text. */
export function text(row: SqliteRow, ...columns: readonly string[]): string | null {
  for (const column of columns) {
    const value = row[column]
    if (value === undefined || value === null || value instanceof Uint8Array) continue
    if (String(value).trim() !== '') return String(value)
  }
  return null
}

/** An id of 16 bytes, or a text in some versions, as a UUID. */
export function id(row: SqliteRow, ...columns: readonly string[]): string | null {
  for (const column of columns) {
    const found = idOf(row[column] ?? null)
    if (found !== null) return found
  }
  return null
}

function idOf(value: SqliteValue): string | null {
  if (value === null) return null
  if (!(value instanceof Uint8Array)) return String(value).trim().toLowerCase() || null
  const digits = Buffer.from(value).toString('hex')
  return digits === '' ? null : digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
