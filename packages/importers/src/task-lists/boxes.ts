/** Lines of Markdown with a checkbox, as in task lists (imports 1). */
import type { NeutralCard } from '../neutral.ts'

/** A line such as `- [x] Paint`, `* [ ] Dry`, `1. [~] Hang`. */
export interface BoxLine {
  /** The width of its indentation. */
  readonly indent: number
  /** The character in the box; a space for an empty one. */
  readonly mark: string
  readonly text: string
}

const form = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+\[[ \t]?([^[\]\s]?)[ \t]?\](.*)$/

/** The box in a line; undefined without one: brackets followed by an address are a link. */
export function boxIn(line: string): BoxLine | undefined {
  const [, indent, mark, text] = form.exec(line.trimEnd()) ?? []
  if (indent === undefined || text!.startsWith('(')) return undefined
  return { indent: indent.length, mark: mark || ' ', text: text!.trim() }
}

/** Marks that people write into boxes; any other mark means started. */
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

/** The status for a box. */
export const statusOfMark = (mark: string): NeutralCard['status'] => marks[mark] ?? 'in_progress'
