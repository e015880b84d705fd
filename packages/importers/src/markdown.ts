/** Markdown as the formats use it: front matter, sections by their headings, list items. */
import type { Entry } from './neutral.ts'
import { type YamlFields, yamlFields } from './yaml.ts'

/** Lines of a file, and the number of the first one. */
export interface Lines {
  readonly lines: readonly string[]
  readonly line: number
}

/** The part of a text below one heading. */
export interface Section extends Lines {
  /** The heading's text; null for what comes before the first one. */
  readonly heading: string | null
  readonly level: number
  /** The line of the heading; of the first line where there is none. */
  readonly line: number
}

/** The lines of a text, whichever line breaks it has; a byte order mark is cut. */
export const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)

/** A file's front matter and what follows it. */
export function frontMatter({ name, text }: Entry & { text: string }): { front: YamlFields | undefined; body: Lines } {
  const lines = linesOf(text)
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---') : -1
  if (end === -1) return { front: undefined, body: { lines, line: 1 } }
  const front = yamlFields(lines.slice(1, end).join('\n'), { entry: name, line: 2 })
  return { front, body: { lines: lines.slice(end + 1), line: end + 2 } }
}

/** Pairs of lines between which nothing is a heading. */
export interface Enclosing {
  readonly opens: RegExp
  /** What ends a pair that a line opened. */
  closes(opening: string): (line: string) => boolean
}

/** Code between fences. A fence that nothing closes is text. */
const fences: Enclosing = {
  opens: /^ {0,3}(?:`{3,}|~{3,})/,
  closes(opening) {
    const [fence = ''] = /`+|~+/.exec(opening) ?? []
    return line => line.trim().startsWith(fence) && line.trim().replaceAll(fence[0]!, '') === ''
  },
}

const headingLine = /^(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/

/**
 * The sections of a text by its headings.
 * @param deepest headings of a lower rank are text
 * @param enclosing other pairs of lines between which nothing is a heading
 */
export function sectionsOf({ lines, line }: Lines, deepest: number, ...enclosing: readonly Enclosing[]): Section[] {
  const sections: { heading: string | null; level: number; line: number; lines: string[] }[] = [
    { heading: null, level: 0, line, lines: [] },
  ]
  let enclosedTo = -1
  for (const [at, text] of lines.entries()) {
    const [, marks = '', heading = ''] = (at > enclosedTo && headingLine.exec(text)) || []
    if (marks !== '' && marks.length <= deepest) {
      sections.push({ heading, level: marks.length, line: line + at, lines: [] })
      continue
    }
    sections.at(-1)!.lines.push(text)
    if (at > enclosedTo) enclosedTo = Math.max(at, endOfPair(lines, at, [...enclosing, fences]))
  }
  return sections.filter(section => section.heading !== null || textOf(section) !== '')
}

/** The line that closes what a line opens; -1 if it opens nothing, or nothing closes it. */
function endOfPair(lines: readonly string[], at: number, pairs: readonly Enclosing[]): number {
  const opening = lines[at]!
  const pair = pairs.find(({ opens }) => opens.test(opening))
  if (pair === undefined) return -1
  const closes = pair.closes(opening)
  for (let to = at + 1; to < lines.length; to++) if (closes(lines[to]!)) return to
  return -1
}

/** The text of lines, without blank ones at both ends. */
export const textOf = ({ lines }: Pick<Lines, 'lines'>): string =>
  lines
    .join('\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()

/** A section with its heading as it stood; empty if nothing is below the heading. */
export function withHeading(section: Section): string {
  const text = textOf(section)
  return text === '' || section.heading === null ? text : `${'#'.repeat(section.level)} ${section.heading}\n\n${text}`
}

/** An item of a list, with what is written below it. */
export interface ListItem {
  readonly text: string
  /** Null for an item without a box. */
  readonly checked: boolean | null
  readonly line: number
}

const itemLine = /^(\s*)(?:[-*+]|\d+[.)])\s+(?:\[([ xX])\]\s*)?(.*)$/

/** The items of the lists in a text; what is indented below an item belongs to it, other lines are prose. */
export function listItems({ lines, line }: Lines): { items: ListItem[]; prose: string[] } {
  const items: { text: string; checked: boolean | null; line: number; indent: number }[] = []
  const prose: string[] = []
  for (const [at, written] of lines.entries()) {
    const [, indent = '', box, text] = itemLine.exec(written) ?? []
    const last = items.at(-1)
    if (last !== undefined && indentOf(written) > last.indent) last.text += `\n${written.trim()}`
    else if (text !== undefined)
      items.push({ text, checked: box === undefined ? null : box !== ' ', line: line + at, indent: indent.length })
    else if (written.trim() !== '') prose.push(written)
  }
  return { items: items.map(({ text, checked, line }) => ({ text, checked, line })), prose }
}

/** An item that a format looks for, with the lines indented below it. */
export interface FoundItem {
  readonly found: RegExpExecArray
  /** All lines of the item as one text, without their indents. */
  readonly text: string
  readonly line: number
}

/** The items of a section that match, and the section without them. */
export function takeItems(section: Section, pattern: RegExp): { items: FoundItem[]; left: Section } {
  const items: { found: RegExpExecArray; text: string; line: number; indent: number }[] = []
  const left: string[] = []
  /** The item that further lines may belong to: until a line that does not. */
  let open: { text: string; indent: number } | undefined
  for (const [at, written] of section.lines.entries()) {
    const found = pattern.exec(written)
    if (found !== null) {
      const item = { found, text: written.trim(), line: section.line + at + 1, indent: indentOf(written) }
      items.push(item)
      open = item
    } else if (open !== undefined && indentOf(written) > open.indent) open.text += `\n${written.trim()}`
    else {
      left.push(written)
      open = undefined
    }
  }
  return { items: items.map(({ found, text, line }) => ({ found, text, line })), left: { ...section, lines: left } }
}

/** The width of the white space that a line begins with; -1 for a blank line. */
const indentOf = (line: string): number => line.search(/\S/)
