/** Reads a `tasks.md` (exchange 2.4). */
import { sectionsOf, takeItems, withHeading } from '../markdown.ts'
import { joined } from '../records.ts'

export interface ListedTask {
  /** `T001` */
  readonly id: string
  readonly line: number
  readonly done: boolean
  /** Whether it can be done beside the one before it. */
  readonly parallel: boolean
  /** `US1`; null for a task of no story. */
  readonly story: string | null
  readonly title: string
  /** The lines below the first one. */
  readonly description: string | null
  readonly phase: string | null
  /** The task before it in its phase. */
  readonly before: ListedTask | undefined
}

const taskItem =
  /^\s*[-*]\s+\[(?<box>[ xX])\]\s+(?<id>T\d+[a-z]?)\b:?\s*(?<marks>(?:\[(?:P|US\d+)\]\s*)*)(?<title>.*)$/is

/** The tasks of a file, and the file without them. */
export function taskListIn(lines: readonly string[]): { tasks: ListedTask[]; rest: string | null } {
  const tasks: ListedTask[] = []
  const rest: string[] = []
  let phase: string | null = null
  let before: ListedTask | undefined
  for (const section of sectionsOf({ lines, line: 1 }, 4)) {
    if (section.level <= 2) {
      phase = section.heading
      before = undefined
    }
    const { items, left } = takeItems(section, taskItem)
    for (const { found, text, line } of items) {
      const { box, id, marks = '', title } = found.groups!
      before = {
        id: id!.toUpperCase(),
        line,
        done: box !== ' ',
        parallel: /\[P\]/i.test(marks),
        story: /\[(US\d+)\]/i.exec(marks)?.[1]?.toUpperCase() ?? null,
        title: title!.trim(),
        description: text.split('\n').slice(1).join('\n') || null,
        phase,
        before,
      }
      tasks.push(before)
    }
    rest.push(withHeading(left))
  }
  return { tasks, rest: joined(rest) }
}
