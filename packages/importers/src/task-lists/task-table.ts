/** Tasks in a table of a `tasks.md` (imports 5). */

import { plain } from '../words/plain.ts'
import type { Status } from '../words/tables.ts'
import { statusOfMark } from './boxes.ts'
import { type TaskText, taskText } from './task-text.ts'

export interface TableRow {
  readonly text: TaskText
  readonly status: Status | null
  readonly statusWord: string | null
  /** The cells without a field, by column. */
  readonly description: string | null
}

const idColumns: ReadonlySet<string> = new Set(['id', 'task', 'task id', 'no', 'nr', ''])
const titleColumns: ReadonlySet<string> = new Set(['title', 'description', 'task', 'name', 'summary', 'what', 'work'])
const statusColumns: ReadonlySet<string> = new Set(['status', 'state', 'done', 'box', 'completed'])

/** The table rows that begin with a task id, by line index. */
export function tableRows(lines: readonly string[], enclosed: readonly boolean[]): ReadonlyMap<number, TableRow> {
  const rows = new Map<number, TableRow>()
  let columns: string[] | undefined
  for (const [at, line] of lines.entries()) {
    const cells = enclosed[at] ? [] : cellsOf(line)
    if (cells.length < 2) columns = undefined
    else if (columns === undefined) columns = isRuler(cellsOf(lines[at + 1] ?? '')) ? cells.map(plain) : undefined
    else if (!isRuler(cells)) {
      const row = rowOf(cells, columns)
      if (row !== undefined) rows.set(at, row)
    }
  }
  return rows
}

const cellsOf = (line: string): string[] => {
  const trimmed = line.trim()
  if (!trimmed.startsWith('|')) return []
  return trimmed
    .slice(1, trimmed.endsWith('|') ? -1 : undefined)
    .split('|')
    .map(cell => cell.trim())
}

const isRuler = (cells: readonly string[]): boolean => cells.length > 1 && cells.every(cell => /^:?-+:?$/.test(cell))

function rowOf(cells: readonly string[], columns: readonly string[]): TableRow | undefined {
  const idAt = columns.findIndex((column, at) => idColumns.has(column) && isId(cells[at] ?? ''))
  if (idAt === -1) return undefined
  const boxAt = cells.findIndex(cell => mark.test(cell))
  const statusAt = columns.findIndex(column => statusColumns.has(column))
  const own = columns.findIndex((column, at) => titleColumns.has(column) && at !== idAt)
  const titleAt = own !== -1 ? own : [0, 1, 2].find(at => at !== idAt && at !== boxAt && at !== statusAt)
  if (titleAt === undefined || cells[titleAt] === undefined) return undefined
  const usedColumns = new Set([idAt, boxAt, statusAt, titleAt])
  const others = cells.flatMap((cell, at) =>
    usedColumns.has(at) || cell === '' ? [] : [`${columns[at] ?? ''}: ${cell}`],
  )
  return {
    text: taskText(`${cells[idAt]} ${cells[titleAt]}`),
    status: boxAt === -1 ? null : statusOfMark(mark.exec(cells[boxAt]!)![1] ?? '✓'),
    statusWord: boxAt === -1 ? (cells[statusAt] ?? null) : null,
    description: others.join('\n') || null,
  }
}

/** A checkbox in a cell, or a sign of one. */
const mark = /^(?:\[(.)\]|[☑✅✔✓])$/u

const isId = (cell: string): boolean => {
  const { id, title } = taskText(cell)
  return id !== null && title === ''
}
