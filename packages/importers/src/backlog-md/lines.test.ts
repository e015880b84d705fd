import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { linesOf } from '../markdown.ts'
import { momentOf } from '../moments.ts'
import type { NeutralRecord, SourceContent } from '../neutral.ts'
import { folder, readingOf } from '../reading.testing.ts'

/** A real folder, in `SPECBOARD_BACKLOG_MD` or next to the project; it is not part of the project. */
const place =
  process.env.SPECBOARD_BACKLOG_MD ?? fileURLToPath(new URL('../../../../../shared/data/backlog-md', import.meta.url))

const sample: Readonly<Record<string, string>> = existsSync(place)
  ? Object.fromEntries(
      readdirSync(place, { recursive: true, withFileTypes: true })
        .filter(file => file.isFile())
        .map(file => `${file.parentPath}/${file.name}`)
        .map(path => [path.slice(place.length + 1), readFileSync(path, 'utf8')]),
    )
  : {}

const none = Object.keys(sample).length === 0

describe.skipIf(none)('a real Backlog.md folder (needs ../shared/data/backlog-md or SPECBOARD_BACKLOG_MD)', () => {
  test('every line of every file has a place or a problem', () => {
    const reading = readingOf(folder(sample, 'backlog-md'))
    const lost = Object.entries(sample).flatMap(([name, text]) => lostLines(name, text, reading))
    expect(lost).toEqual([])
  })

  test('every task is a card or a spec', () => {
    const reading = readingOf(folder(sample, 'backlog-md'))
    const tasks = Object.keys(sample).filter(name => /^(?:tasks|completed)\/.* - .*\.md$/.test(name))
    const read = reading.records
      .filter(({ type }) => type === 'card' || type === 'spec')
      .map(({ place }) => place.entry!)
    expect(tasks.filter(name => !read.includes(name))).toEqual([])
  })
})

test('lines that went lost are noticed', () => {
  const text = '---\nid: task-1\ntitle: A\nlabels: [x]\n---\n## Description\nKept.\n'
  const reading = readingOf(folder({ 'tasks/1.md': text }))
  expect(lostLines('tasks/1.md', text, reading)).toEqual([])
  const longer = text
    .replace('[x]', '[x, y]')
    .replace('id:', 'mood: calm\nid:')
    .replace('Kept.', 'Kept.\nOther.\n- [ ] Item')
  expect(lostLines('tasks/1.md', longer, reading)).toEqual([
    'tasks/1.md:2 mood: calm',
    'tasks/1.md:5 labels: [x, y]',
    'tasks/1.md:9 Other.',
    'tasks/1.md:10 - [ ] Item',
  ])
})

/** What became of a file: its records, and the problems that name it. */
interface Result {
  /** The card or spec that the file became. */
  readonly record: NeutralRecord | undefined
  readonly records: readonly NeutralRecord[]
  readonly reasons: readonly string[]
  /** All texts, all lines of them, and all values that "Imported fields" has in a line. */
  readonly texts: ReadonlySet<string>
}

/** The lines of a file that no record or problem contains, determined from the answer only. */
function lostLines(name: string, text: string, reading: SourceContent): string[] {
  const problems = reading.problems.filter(({ entry }) => entry === name)
  if (problems.some(({ severity, line }) => severity === 'skipped' && line === null)) return []
  const records = reading.records.filter(({ place }) => place.entry === name)
  const guidelines = reading.records.filter(({ type }) => type === 'guideline')
  const id = /^id: *(.*)$/m.exec(text)?.[1]?.replace(/^(['"])(.*)\1$/, '$2')
  const result: Result = {
    record: records.find(record => record.id === id || record.id === `milestone:${id}`),
    records,
    reasons: problems.map(({ reason }) => reason),
    texts: new Set([...records, ...guidelines].flatMap(textsIn).flatMap(partsOf)),
  }
  const lines = linesOf(text)
  const end = lines.indexOf('---', 1)
  let key = ''
  return lines
    .map((line, at) => {
      key = /^(\w+):/.exec(line)?.[1] ?? key
      const isKept = isMark(line) || (at < end ? fieldIsKept(key, line, result) : lineIsKept(line, result))
      return isKept ? null : `${name}:${at + 1} ${line}`
    })
    .filter(lost => lost !== null)
}

const partsOf = (text: string): string[] => [
  text,
  ...text.split('\n').flatMap(line => [line.trim(), line.replace(/^\*\*.*?\*\*: /, '')]),
]

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

/** Blank lines, ends of the front matter and of comments, markers, headings that say which field is below. */
const isMark = (line: string): boolean =>
  ['', '---'].includes(line.trim()) ||
  /^\s*<!-- [A-Z_:]+:(?:BEGIN|END) -->\s*$/.test(line) ||
  /^## (?:Description|Acceptance Criteria|Definition of Done|Final Summary|Comments|Context|Decision)$/.test(line) ||
  /^## Implementation (?:Plan|Notes)$/.test(line)

/** Whether a line of the text is kept: unchanged, as the item of a check list, or as the head of a comment. */
function lineIsKept(line: string, { records, texts }: Result): boolean {
  const item = line.replace(/^\s*[-*] (?:\[[ xX]\] )?(?:#\d+ )?/, '').trim()
  const [, head = '', value = ''] = /^(author|created): @?(.*)$/.exec(line) ?? []
  const heading = /^#{1,2} (.*)$/.exec(line)?.[1] ?? ''
  return (
    [line.trim(), item, `- ${item}`].some(text => texts.has(text)) ||
    (heading !== '' &&
      records.some(({ type }) => type === 'spec') &&
      [...texts].some(text => text.startsWith(`**${heading}**: `) || text === `## ${heading}`)) ||
    (head !== '' &&
      records.some(
        record => record.type === 'comment' && (record.created_by === value || record.created_at === momentOf(value)),
      ))
  )
}

/** Whether a line of the front matter is kept: each of its values is where the field belongs. */
function fieldIsKept(key: string, line: string, result: Result): boolean {
  const values = line
    .replace(/^(?:\w+:|\s*-) */, '')
    .replace(/^\[(.*)\]$/, '$1')
    .split(key === 'title' || key === 'references' ? /$^/ : ', ')
    .map(value =>
      value
        .replace(/^(['"])(.*)\1$/, '$2')
        .replaceAll("''", "'")
        .trim(),
    )
    .filter(value => value !== '' && value !== '>-')
  return values.every(value => valueIsKept(key, value, result))
}

const statuses: Readonly<Record<string, readonly string[]>> = {
  'To Do': ['not_started', 'draft'],
  'In Progress': ['in_progress'],
  Done: ['done'],
}

function valueIsKept(key: string, value: string, { record, records, reasons, texts }: Result): boolean {
  const fields: Readonly<Record<string, unknown>> = { ...record }
  const labels = (fields.labels ?? []) as readonly string[]
  const someHas = (part: string): boolean => [...texts].some(text => text.includes(part))
  const places: Readonly<Record<string, () => boolean>> = {
    id: () => record !== undefined || texts.has(value),
    title: () => someHas(value),
    status: () => (statuses[value] ?? []).includes(String(fields.status)) || texts.has(`status: ${value}`),
    priority: () => fields.priority === value || texts.has(`**priority**: ${value}`),
    assignee: () => fields.assignee_id === value.replace('@', '') || labels.includes(`also:${value}`),
    reporter: () => fields.created_by === value.replace('@', ''),
    created_date: () => fields.created_at === momentOf(value),
    updated_date: () => fields.updated_at === momentOf(value),
    labels: () => labels.includes(value),
    milestone: () => labels.includes(`milestone:${value}`),
    dependencies: () => linksTo(value, records) || reasons.some(reason => reason.includes(value)),
    parent_task_id: () =>
      numberOf(String(fields.spec_id ?? fields.context)) === numberOf(value) ||
      reasons.some(reason => reason.includes(value)),
    references: () => someHas(value),
    documentation: () => someHas(value),
    modified_files: () => someHas(value),
    date: () => texts.has(`date: ${value}`),
  }
  return places[key]?.() ?? texts.has(`**${key}**: ${value}`)
}

const linksTo = (value: string, records: readonly NeutralRecord[]): boolean =>
  records.some(record => record.type === 'dependency' && numberOf(record.depends_on_id) === numberOf(value))

const numberOf = (id: string): string => /\d+(?:\.\d+)*/.exec(id)?.[0] ?? id
