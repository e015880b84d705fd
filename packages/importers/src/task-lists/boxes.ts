/** Lines of Markdown with a box, as lists of tasks have them (imports 1). */
import type { NeutralCard } from '../neutral.ts'

/** A line such as `- [x] Paint`, `* [ ] Dry`, `1. [~] Hang`. */
export interface BoxLine {
  /** The width of the white space before it. */
  readonly indent: number
  /** What is in the box; a blank for an empty one. */
  readonly mark: string
  readonly text: string
}

const form = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+\[[ \t]?([^[\]\s]?)[ \t]?\](.*)$/

/** The box in a line; undefined if it has none: brackets with an address behind them are a link. */
export function boxIn(line: string): BoxLine | undefined {
  const [, indent, mark, text] = form.exec(line.trimEnd()) ?? []
  if (indent === undefined || text!.startsWith('(')) return undefined
  return { indent: indent.length, mark: mark || ' ', text: text!.trim() }
}

/** What people write into boxes; any other mark is one of something that was begun. */
const marks: Readonly<Record<string, NeutralCard['status']>> = {
  ' ': 'not_started',
  x: 'done',
  X: 'done',
  '✓': 'done',
  '✔': 'done',
  '✅': 'done',
  '-': 'cancelled',
  '>': 'on_hold',
  '!': 'on_hold',
  '?': 'on_hold',
}

/** The status that a box says. */
export const statusOfMark = (mark: string): NeutralCard['status'] => marks[mark] ?? 'in_progress'
