/** The work of agents on a task: branches, merges, and messages (imports 5). */
import { isEmpty } from '../imported-fields.ts'
import { joined } from '../records.ts'
import { fieldsOf, id, type Row, type Rows, text } from './rows.ts'

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
function ownersIn({ sessions, processes, merges, pullRequests, turns }: Rows) {
  const at = (owners: ReadonlyMap<string | null, string | null>, key: string | null) =>
    key === null ? null : (owners.get(key) ?? null)
  const ownerOf = (row: Row) => id(row, 'task_attempt_id', 'workspace_id')
  const sessionOwner = new Map(sessions.map(row => [id(row, 'id'), ownerOf(row)]))
  const ofProcess = (row: Row) => ownerOf(row) ?? at(sessionOwner, id(row, 'session_id'))
  const processOwner = new Map(processes.map(row => [id(row, 'id'), ofProcess(row)]))
  const ofTurn = (row: Row) => ownerOf(row) ?? at(processOwner, id(row, 'execution_process_id'))
  return {
    sessions: Map.groupBy(sessions, ownerOf),
    runs: Map.groupBy(processes, ofProcess),
    merges: Map.groupBy(merges, ownerOf),
    'pull requests': Map.groupBy(pullRequests, ownerOf),
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
  const { sessions, runs, merges, 'pull requests': requests, turns } = ownersIn(rows)
  const attempts = rows.attempts.flatMap(row => {
    const key = id(row, 'id')
    const task = id(row, 'task_id')
    if (key === null || task === null) return []
    const executor = text(row, 'executor', 'base_coding_agent') ?? text(sessions.get(key)?.[0] ?? {}, 'executor')
    const { created_at, lines } = linesOf(row, executor, runs.get(key) ?? [])
    const attempt = {
      id: key,
      executor,
      created_at,
      lines,
      merges: [...(merges.get(key) ?? []), ...(requests.get(key) ?? []), row]
        .map(mergeLine)
        .filter(line => line !== ''),
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

/** The columns whose content is already in other lines of an attempt: its merge, and what it belongs to. */
const saidElsewhere = ['id', 'task_id', 'updated_at', 'merge_commit', 'pr_url', 'pr_number', 'pr_status'] as const

/** When an attempt began, and its columns as lines; a column without a label here is shown under its own name. */
function linesOf(row: Row, executor: string | null, processes: readonly Row[]) {
  const fields = fieldsOf(row)
  const created_at = fields.moment('created_at')
  fields.drop('executor', 'base_coding_agent', ...saidElsewhere)
  const entries = [
    ['Name', fields.text('name')],
    ['Agent', executor],
    ['Branch', fields.text('branch')],
    ['Onto', fields.text('target_branch') ?? fields.text('base_branch')],
    ['Runs', processes.map(runText).join(', ')],
    ...Object.entries(fields.rest()),
  ] as const
  const lines = entries.flatMap(([name, value]) => (isEmpty(value) ? [] : [`- ${name}: ${value}`]))
  return { created_at, lines }
}

function runText(process: Row): string {
  const failed = (process.exit_code ?? 0) === 0 ? '' : ` (exit ${process.exit_code})`
  return `${text(process, 'run_reason', 'process_type')}: ${text(process, 'status')}${failed}`
}

function mergeLine(row: Row): string {
  const commit = text(row, 'merge_commit', 'pr_merge_commit_sha', 'merge_commit_sha')
  const number = text(row, 'pr_number')
  const request = text(row, 'pr_url') ?? (number === null ? null : `#${number}`)
  if (request === null && commit === null) return ''
  const status = text(row, 'pr_status')
  const onto = text(row, 'target_branch_name')
  const at = text(row, 'pr_merged_at', 'merged_at')
  const parts = [
    request === null ? null : `pull request ${request}${status === null ? '' : ` (${status})`}`,
    commit === null ? null : `merged as ${commit}`,
    onto === null ? null : `into ${onto}`,
    at === null ? null : `at ${at}`,
  ]
  return `- ${parts.filter(part => part !== null).join(', ')}`
}

const turnText = (row: Row): string =>
  joined([
    text(row, 'prompt') === null ? null : `**Prompt**\n\n${text(row, 'prompt')}`,
    text(row, 'summary') === null ? null : `**Summary**\n\n${text(row, 'summary')}`,
  ]) ?? ''

/** An attempt as the text of a comment. */
export const attemptText = ({ lines, merges, turns }: Attempt): string =>
  joined(['Attempt', [...lines, ...merges].join('\n'), ...turns])!
