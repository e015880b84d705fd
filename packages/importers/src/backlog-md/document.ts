/** A Markdown file of a Backlog.md folder: fields, and sections with or without markers (exchange 2.1). */

import type { Enclosing } from '../enclosed.ts'
import { Fields } from '../fields.ts'
import { stemOf } from '../files.ts'
import { frontMatter, type Lines, listItems, type Section, sectionsOf, textOf } from '../markdown.ts'
import type { Entry, SourcePlace } from '../neutral.ts'

const marker = /^\s*<!-- ?((?:SECTION:)?[A-Z_]+):(BEGIN|END) ?-->\s*$/

/** Everything between markers belongs to one section, including headings. */
const markers: Enclosing = {
  opening: line => marked(line, 'BEGIN'),
  closing: line => marked(line, 'END'),
}

function marked(line: string, side: 'BEGIN' | 'END') {
  const [, name, found] = marker.exec(line) ?? []
  return name === undefined || found !== side ? undefined : { name, size: 0 }
}

export interface Document {
  readonly id: string
  readonly place: SourcePlace & { line: number }
  readonly fields: Fields
  lineOf(field: string): number
  /** In file order; marker lines are replaced with blank lines. */
  readonly sections: readonly Section[]
}

/** Reads a file; undefined if it has no front matter with an id. */
export function documentOf(entry: Entry & { text: string }): Document | undefined {
  const { front, body } = frontMatter(entry)
  if (front === undefined) return undefined
  const fields = new Fields(front.values)
  const id = fields.text('id')
  if (id === null) return undefined
  return {
    id: id.trim(),
    place: { entry: entry.name, line: 1 },
    fields,
    lineOf: front.lineOf,
    sections: sectionsIn(body),
  }
}

/** A file without front matter: its id is in its name, its title in its first heading (imports 5). */
export function documentWithoutHead(entry: Entry & { text: string }): Document {
  const { body } = frontMatter({ ...entry, text: entry.text.replace(/^---\n/, '\n') })
  const stem = stemOf(entry.name ?? '')
  const [id = stem, ...rest] = stem.split(' - ')
  const sections = sectionsIn(body)
  const [first] = sections
  const title = first?.level === 1 ? first.heading : rest.join(' - ')
  return {
    id: id.trim(),
    place: { entry: entry.name, line: 1 },
    fields: new Fields({ title: title?.trim() || stem }),
    lineOf: () => 1,
    sections: first?.level === 1 ? [{ ...first, heading: null, level: 0 }, ...sections.slice(1)] : sections,
  }
}

const sectionsIn = (body: Lines): Section[] =>
  sectionsOf(body, 2, markers).map(section => ({
    ...section,
    lines: section.lines.map(line => (marker.test(line) ? '' : line)),
  }))

/** Whether the heading of a section is one of the names. */
export const headed = ({ heading }: Section, ...names: readonly string[]): boolean =>
  heading !== null && names.includes(heading.replace(/:$/, '').trim().toLowerCase())

/** The texts of the sections with the names. */
export const textsOf = ({ sections }: Document, ...names: readonly string[]): string[] =>
  sections.filter(section => headed(section, ...names)).map(textOf)

/** The items of a check list, without their numbers. */
export const checkList = (sections: readonly Section[]) =>
  sections.flatMap(section =>
    listItems(section).items.map(item => ({ ...item, text: item.text.replace(/^#\d+\s+/, '') })),
  )

/** A comment, as a block in the section of comments. */
export interface CommentBlock {
  readonly fields: Fields
  readonly content: string
  readonly line: number
}

/** A block consists of `name: value` lines, a line `---`, the text, and a line `---`. */
export function commentBlocks({ lines, line }: Section): CommentBlock[] {
  const heads = lines.flatMap((_, at) => {
    const end = headEnd(lines, at)
    return end === undefined ? [] : [{ at, end }]
  })
  const first = heads[0]?.at ?? lines.length
  const before = textOf({ lines: lines.slice(0, first) })
  const loose = before === '' ? [] : [{ fields: new Fields({}), content: before, line }]
  return [
    ...loose,
    ...heads.map(({ at, end }, index) => ({
      fields: new Fields(Object.fromEntries(lines.slice(at, end).map(nameAndValue))),
      content: textOf({ lines: lines.slice(end + 1, heads[index + 1]?.at) })
        .replace(/\n?---$/, '')
        .trimEnd(),
      line: line + at,
    })),
  ]
}

/** The line `---` that ends a block's head. */
function headEnd(lines: readonly string[], at: number): number | undefined {
  const startsBlock = at === 0 || ['', '---'].includes(lines[at - 1]!.trim())
  if (!startsBlock || !/^(?:author|created):/.test(lines[at]!)) return undefined
  let end = at
  while (/^[a-z_]+: /.test(lines[end] ?? '')) end++
  return lines[end]?.trim() === '---' ? end : undefined
}

const nameAndValue = (line: string): [string, string] => {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}
