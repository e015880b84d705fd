/** Lines of Markdown with a checkbox, as in task lists (imports 1). */
import type { NeutralCard } from '../neutral.ts'

/** A line such as `- [x] Paint`, `* [ ] Dry`, `1. [~] Hang`, `> - [ ] Quoted`, `-[ ] Tight`, `☑ Signed`. */
export interface BoxLine {
  /** The width of its indentation, with the marks of a quotation. */
  readonly indent: number
  /** The character in the box; a space for an empty one. */
  readonly mark: string
  readonly text: string
}

const form = /^([\s>]*)(?:[-*+]|\d{1,9}[.)])\s+\[[ \t]?([^[\]\s]?)[ \t]?\](.*)$/

/** A box directly after its list mark. Only the marks that task lists use count here, because `-[a]` is text. */
const tight = /^([\s>]*)-\[[ \t]?([xX~-]?)[ \t]?\](.*)$/

/** A sign of a box, with or without a list mark. */
const sign = /^([\s>]*)(?:(?:[-*+]|\d{1,9}[.)])\s+)?([☐☑☒])(.*)$/u

const signs: Readonly<Record<string, string>> = { '☐': ' ', '☑': 'x', '☒': 'x' }

/** The box in a line; undefined without one: brackets followed by an address are a link. */
export function boxIn(line: string): BoxLine | undefined {
  const trimmed = line.trimEnd()
  const [, indent, mark = '', text = ''] = form.exec(trimmed) ?? tight.exec(trimmed) ?? sign.exec(trimmed) ?? []
  if (indent === undefined || text.startsWith('(')) return undefined
  return { indent: indent.length, mark: signs[mark] ?? (mark || ' '), text: text.trim() }
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
