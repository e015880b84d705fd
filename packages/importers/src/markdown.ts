/** Markdown as the formats use it: front matter, sections, list items. */
import { Closings, comments, type Enclosing, fences } from './enclosed.ts'
import type { Entry } from './neutral.ts'
import { type YamlFields, yamlFields } from './yaml.ts'

/** Lines of a file, and the number of the first one. */
export interface Lines {
  readonly lines: readonly string[]
  readonly line: number
}

/** The part of a text below one heading. */
export interface Section extends Lines {
  /** The heading's text; null for the text before the first one. */
  readonly heading: string | null
  readonly level: number
}

/** The lines of a text with any line breaks; a byte order mark is removed. */
export const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)

/** The lines of a text one by one, for texts that are too long to split at once; lines may end in white space. */
export function* eachLine(text: string): Generator<string, void, undefined> {
  for (let from = text.startsWith('\uFEFF') ? 1 : 0; from <= text.length; ) {
    const end = text.indexOf('\n', from)
    yield text.slice(from, end === -1 ? undefined : end)
    if (end === -1) return
    from = end + 1
  }
}

/** A file's front matter and what follows it. */
export function frontMatter({ name, text }: Entry & { text: string }): { front: YamlFields | undefined; body: Lines } {
  const lines = linesOf(text)
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---') : -1
  if (end === -1) return { front: undefined, body: { lines, line: 1 } }
  const front = yamlFields(lines.slice(1, end).join('\n'), { entry: name, line: 2 })
  return { front, body: { lines: lines.slice(end + 1), line: end + 2 } }
}

/** The level and text of a heading line, without closing marks. */
function headingOf(line: string): { level: number; heading: string } | undefined {
  const level = /^#{1,6}(?=\s)/.exec(line)?.[0].length
  if (level === undefined) return undefined
  const words = line.slice(level).trim()
  let end = words.length
  while (words[end - 1] === '#') end--
  const closed = end < words.length && /\s/.test(words[end - 1] ?? '')
  return { level, heading: closed ? words.slice(0, end).trimEnd() : words }
}

/**
 * The sections of a text.
 * @param deepest the deepest heading level; deeper headings are text
 * @param enclosing further pairs of lines between which nothing is a heading
 */
export function sectionsOf({ lines, line }: Lines, deepest: number, ...enclosing: readonly Enclosing[]): Section[] {
  const sections: { heading: string | null; level: number; line: number; lines: string[] }[] = [
    { heading: null, level: 0, line, lines: [] },
  ]
  const closings = new Closings(lines, [...enclosing, fences])
  let enclosedTo = -1
  for (const [at, text] of lines.entries()) {
    const found = at > enclosedTo ? headingOf(text) : undefined
    if (found !== undefined && found.level <= deepest) {
      sections.push({ ...found, line: line + at + 1, lines: [] })
      continue
    }
    sections.at(-1)!.lines.push(text)
    if (at > enclosedTo) enclosedTo = Math.max(at, closings.of(text, at))
  }
  return sections.filter(section => section.heading !== null || textOf(section) !== '')
}

/** Which lines are in fenced code or comments. */
export function enclosedLines(lines: readonly string[]): boolean[] {
  const closings = new Closings(lines, [fences, comments])
  const enclosed: boolean[] = []
  for (const [at, text] of lines.entries()) {
    if (at < enclosed.length) continue
    const end = closings.of(text, at)
    for (let line = at; line <= Math.max(at, end); line++) enclosed.push(end !== -1)
  }
  return enclosed
}

/** The text of lines, without blank ones at both ends. */
export const textOf = ({ lines }: Pick<Lines, 'lines'>): string =>
  lines
    .join('\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()

/** A section with its heading unchanged; empty if there is nothing below the heading. */
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

const itemStart = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s/

const itemBox = /^\[([ xX])\]/

/** The indent, box and text of a line that begins an item; undefined for any other. */
function itemIn(line: string): { indent: number; box: string | undefined; text: string } | undefined {
  const [start, indent] = itemStart.exec(line) ?? []
  if (start === undefined || indent === undefined) return undefined
  const text = line.slice(start.length).trimStart()
  const [all = '', box] = itemBox.exec(text) ?? []
  return { indent: indent.length, box, text: text.slice(all.length).trimStart() }
}

/** The list items in a text; what is indented below an item belongs to it, other lines are prose. */
export function listItems({ lines, line }: Lines): { items: ListItem[]; prose: string[] } {
  const items: { text: string; checked: boolean | null; line: number; indent: number }[] = []
  const prose: string[] = []
  for (const [at, rawLine] of lines.entries()) {
    const item = itemIn(rawLine)
    const last = items.at(-1)
    if (last !== undefined && indentOf(rawLine) > last.indent) last.text += `\n${rawLine.trim()}`
    else if (item !== undefined) {
      const { text, box, indent } = item
      items.push({ text, checked: box === undefined ? null : box !== ' ', line: line + at, indent })
    } else if (rawLine.trim() !== '') prose.push(rawLine)
  }
  return { items: items.map(({ text, checked, line }) => ({ text, checked, line })), prose }
}

/** The matching items of a section, each as one text without indentation, and the section without them. */
export function takeItems(section: Section, begins: (line: string) => boolean): { items: string[]; rest: Section } {
  const enclosed = enclosedLines(section.lines)
  const items: { text: string; indent: number }[] = []
  const restLines: string[] = []
  /** The item that the following lines may belong to. */
  let open: { text: string; indent: number } | undefined
  for (const [at, line] of section.lines.entries()) {
    if (enclosed[at] !== true && begins(line)) {
      open = { text: line.trim(), indent: indentOf(line) }
      items.push(open)
    } else if (open !== undefined && indentOf(line) > open.indent) open.text += `\n${line.trim()}`
    else {
      restLines.push(line)
      open = undefined
    }
  }
  return { items: items.map(({ text }) => text), rest: { ...section, lines: restLines } }
}

/** The width of a line's leading white space; -1 for a blank line. */
const indentOf = (line: string): number => line.search(/\S/)
