/** The work of agents on a task: branches, merges, and messages (imports 5). */
import { momentOf } from '../moments.ts'
import { joined } from '../records.ts'
import type { SqliteRow } from '../sqlite.ts'
import { id, type Rows, text } from './rows.ts'

export interface Attempt {
  readonly id: string
  /** The agent, such as `CLAUDE_CODE`. */
  readonly executor: string | null
  readonly created_at: string | null
  /** The columns with content, as lines. */
  readonly lines: readonly string[]
  readonly merges: readonly string[]
  readonly turns: readonly string[]
}

/** The attempt of each row in the tables about attempts; null for a row without one. */
function ownersIn({ sessions, processes, merges, turns }: Rows) {
  const at = (owners: ReadonlyMap<string | null, string | null>, key: string | null) =>
    key === null ? null : (owners.get(key) ?? null)
  const ownerOf = (row: SqliteRow) => id(row, 'task_attempt_id', 'workspace_id')
  const sessionOwner = new Map(sessions.map(row => [id(row, 'id'), ownerOf(row)]))
  const ofProcess = (row: SqliteRow) => ownerOf(row) ?? at(sessionOwner, id(row, 'session_id'))
  const processOwner = new Map(processes.map(row => [id(row, 'id'), ofProcess(row)]))
  const ofTurn = (row: SqliteRow) => ownerOf(row) ?? at(processOwner, id(row, 'execution_process_id'))
  return {
    sessions: Map.groupBy(sessions, ownerOf),
    runs: Map.groupBy(processes, ofProcess),
    merges: Map.groupBy(merges, ownerOf),
    turns: Map.groupBy(turns, ofTurn),
  }
}

/** How many rows belong to missing attempts, by kind. */
export function lostParts(rows: Rows): [string, number][] {
  const here = new Set(rows.attempts.map(row => id(row, 'id')))
  here.delete(null)
  return Object.entries(ownersIn(rows)).map(([what, byOwner]) => [
    what,
    [...byOwner].reduce((sum, [owner, of]) => (here.has(owner) ? sum : sum + of.length), 0),
  ])
}

/** The attempts by task id, in the order of creation. */
export function attemptsOf(rows: Rows): ReadonlyMap<string, readonly Attempt[]> {
  const { sessions, runs, merges, turns } = ownersIn(rows)
  const attempts = rows.attempts.flatMap(row => {
    const key = id(row, 'id')
    const task = id(row, 'task_id')
    if (key === null || task === null) return []
    const executor = text(row, 'executor', 'base_coding_agent') ?? text(sessions.get(key)?.[0] ?? {}, 'executor')
    const attempt = {
      id: key,
      executor,
      created_at: momentOf(text(row, 'created_at') ?? ''),
      lines: linesOf(row, executor, runs.get(key) ?? []),
      merges: [...(merges.get(key) ?? []), row].map(mergeLine).filter(line => line !== ''),
      turns: (turns.get(key) ?? []).map(turnText).filter(turn => turn !== ''),
    }
    return [{ task, attempt }]
  })
  return new Map(
    [...Map.groupBy(attempts, ({ task }) => task)].map(([task, of]) => [
      task,
      of.map(({ attempt }) => attempt).toSorted((a, b) => (a.created_at ?? '').localeCompare(b.created_at ?? '')),
    ]),
  )
}

function linesOf(row: SqliteRow, executor: string | null, processes: readonly SqliteRow[]): string[] {
  const said = [
    ['Name', text(row, 'name')],
    ['Agent', executor],
    ['Branch', text(row, 'branch')],
    ['Onto', text(row, 'target_branch', 'base_branch')],
    [
      'Runs',
      processes.map(process => `${text(process, 'run_reason', 'process_type')}: ${text(process, 'status')}`).join(', '),
    ],
  ] as const
  return said.flatMap(([name, value]) => (value === null || value === '' ? [] : [`- ${name}: ${value}`]))
}

function mergeLine(row: SqliteRow): string {
  const commit = text(row, 'merge_commit', 'pr_merge_commit_sha')
  const request = text(row, 'pr_url') ?? (text(row, 'pr_number') === null ? null : `#${text(row, 'pr_number')}`)
  const parts = [
    request === null
      ? null
      : `pull request ${request}${text(row, 'pr_status') === null ? '' : ` (${text(row, 'pr_status')})`}`,
    commit === null ? null : `merged as ${commit}`,
    text(row, 'target_branch_name') === null ? null : `into ${text(row, 'target_branch_name')}`,
  ].filter(part => part !== null)
  return request === null && commit === null ? '' : `- ${parts.join(', ')}`
}

const turnText = (row: SqliteRow): string =>
  joined([
    text(row, 'prompt') === null ? null : `**Prompt**\n\n${text(row, 'prompt')}`,
    text(row, 'summary') === null ? null : `**Summary**\n\n${text(row, 'summary')}`,
  ]) ?? ''

/** An attempt as the text of a comment. */
export const attemptText = ({ lines, merges, turns }: Attempt): string =>
  joined(['Attempt', [...lines, ...merges].join('\n'), ...turns])!
