/** Reads a `tasks.md` (exchange 2.4, imports 5). */

import { enclosedLines, type Section, sectionsOf, withHeading } from '../markdown.ts'
import { joined } from '../records.ts'
import type { Status } from '../words/tables.ts'
import { boxIn, statusOfMark } from './boxes.ts'
import { orderInLine } from './stated-order.ts'
import { type TableRow, tableRows } from './task-table.ts'
import { type TaskText, taskText } from './task-text.ts'

export interface ListedTask extends TaskText {
  readonly line: number
  /** The status of its box; null without a box. */
  readonly status: Status | null
  /** The status word in a column or line; null without one. */
  readonly statusWord: string | null
  /** The text below it. */
  description: string | null
  readonly phase: string | null
  /** The index of its phase in the file, as headings may be repeated. */
  readonly phaseNumber: number
  /** The task that it is a step of. */
  readonly within: ListedTask | null
}

export interface TaskList {
  readonly tasks: readonly ListedTask[]
  /** The rest of the file, without its tasks; null if it is empty. */
  readonly rest: string | null
  /** The statements of sections about dependencies. */
  readonly orders: readonly ReturnType<typeof orderInLine>[]
  /** The lines of boxes without a text. */
  readonly empty: readonly number[]
}

const dependencyHeading = /dependenc|execution order/i

const itemWithoutBox = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(\S.*)$/

/** The tasks of a file: lines with a box, and other lines that begin with a task id, if no box has that id. */
export function taskListIn(lines: readonly string[]): TaskList {
  const list = new ListReader(idsOfBoxes(lines))
  for (const section of sectionsOf({ lines, line: 1 }, 4)) list.read(section)
  return list.done()
}

function idsOfBoxes(lines: readonly string[]): Set<string> {
  return new Set(
    lines.flatMap(line => {
      const box = boxIn(line)
      const id = box === undefined ? null : taskText(box.text).id
      return id === null ? [] : [id]
    }),
  )
}

/** The maximum depth of nested steps. */
const maxDepth = 20

/** A task that the following lines may belong to. */
interface Open {
  readonly task: ListedTask
  readonly indent: number
}

class ListReader {
  readonly #tasks: ListedTask[] = []
  readonly #rest: string[] = []
  readonly #orders: ReturnType<typeof orderInLine>[] = []
  readonly #empty: number[] = []
  /** The ids of tasks with a box; other lines with them only mention those tasks. */
  readonly #boxed: ReadonlySet<string>
  readonly #seen = new Set<string>()
  #phase: string | null = null
  #phaseNumber = 0

  constructor(boxed: ReadonlySet<string>) {
    this.#boxed = boxed
  }

  read(section: Section): void {
    if (section.level <= 2 || /^phase\b/i.test(section.heading ?? '')) {
      this.#phase = section.heading
      this.#phaseNumber++
    }
    const heading = this.#headingTask(section)
    if (dependencyHeading.test(section.heading ?? ''))
      this.#orders.push(...section.lines.map(orderInLine).filter(({ first }) => first.length > 0))
    const rest = this.#takeTasks(section, heading)
    if (heading === undefined) this.#rest.push(withHeading({ ...section, lines: rest }))
    else heading.description = textIn(rest)
  }

  done(): TaskList {
    return { tasks: this.#tasks, rest: joined(this.#rest), orders: this.#orders, empty: this.#empty }
  }

  /** The task in a heading such as `### T001: Buy paint`. */
  #headingTask({ heading, line, lines }: Section): ListedTask | undefined {
    const box = boxIn(`- ${heading ?? ''}`)
    const task = taskText(box?.text ?? heading ?? '')
    if (task.id === null || !this.#isFree(task.id) || !/^T/.test(task.id)) return undefined
    const statusWord = lines.map(statusIn).find(word => word !== null) ?? null
    return this.#add(task, {
      line: line - 1,
      status: box === undefined ? null : statusOfMark(box.mark),
      statusWord,
      within: null,
    })
  }

  /** Removes the tasks from a section. @returns its other lines */
  #takeTasks({ lines, line: firstLine }: Section, heading: ListedTask | undefined): string[] {
    const enclosed = enclosedLines(lines)
    const rows = tableRows(lines, enclosed)
    const rest: string[] = []
    let open: Open[] = []
    for (const [at, text] of lines.entries()) {
      const line = firstLine + at
      const indent = text.search(/\S/)
      if (indent !== -1) open = open.filter(({ indent: outer }) => outer < indent).slice(0, maxDepth)
      const within = open.at(-1)?.task ?? heading ?? null
      const row = rows.get(at)
      const isCode = enclosed[at] === true
      const box = isCode ? undefined : boxIn(text)
      let task: ListedTask | undefined
      if (box !== undefined) task = this.#boxTask(box.text, statusOfMark(box.mark), line, within)
      else if (!isCode) task = this.#rowTask(row, line) ?? this.#itemTask(text, line, within)
      if (task !== undefined) open.push({ task, indent })
      else if (box !== undefined) this.#empty.push(line)
      else if (open.length === 0) rest.push(text)
      else if (indent !== -1) add(open.at(-1)!.task, text.trim())
    }
    return rest
  }

  #boxTask(text: string, status: Status, line: number, within: ListedTask | null): ListedTask | undefined {
    return text === '' ? undefined : this.#add(taskText(text), { line, status, statusWord: null, within })
  }

  #rowTask(row: TableRow | undefined, line: number): ListedTask | undefined {
    if (row === undefined || !this.#isFree(row.text.id ?? '')) return undefined
    const task = this.#add(row.text, { line, status: row.status, statusWord: row.statusWord, within: null })
    task.description = row.description
    return task
  }

  /** A list item that begins with a task id, if no box has that id. */
  #itemTask(text: string, line: number, within: ListedTask | null): ListedTask | undefined {
    const task = taskText(itemWithoutBox.exec(text)?.[1] ?? '')
    if (task.id === null || !/^T/.test(task.id) || task.title === '' || !this.#isFree(task.id)) return undefined
    return this.#add(task, { line, status: null, statusWord: null, within })
  }

  #isFree(id: string): boolean {
    return !this.#boxed.has(id) && !this.#seen.has(id)
  }

  #add(text: TaskText, more: Pick<ListedTask, 'line' | 'status' | 'statusWord' | 'within'>): ListedTask {
    const task = { ...text, ...more, description: null, phase: this.#phase, phaseNumber: this.#phaseNumber }
    if (text.id !== null) this.#seen.add(text.id)
    this.#tasks.push(task)
    return task
  }
}

const statusStart = /^[ \t]*(?:[-*+][ \t]+)?\*{0,2}status\*{0,2}[ \t]{0,4}:/i

/** The word in a line such as `**Status**: Done`; null for any other line. */
function statusIn(line: string): string | null {
  const start = statusStart.exec(line)?.[0]
  return start === undefined
    ? null
    : line
        .slice(start.length)
        .replace(/^\*{1,2}/, '')
        .trim() || null
}

const textIn = (lines: readonly string[]): string | null => lines.join('\n').trim() || null

function add(task: ListedTask, line: string): void {
  task.description = task.description === null ? line : `${task.description}\n${line}`
}
