import { expect, test } from 'vitest'
import { detectFormat } from './chosen.ts'
import type { ImportFormat, Source } from './neutral.ts'
import { bareFile, folder, readingOf, refusalOf } from './reading.testing.ts'

const task = '---\nid: task-1\ntitle: A\n---\n'
const issue = '{"id": "bd-1", "title": "A", "status": "open"}'
const tasks = '{"tasks": [{"id": 1, "title": "A"}]}'

const samples: readonly (readonly [string, Source, ImportFormat | null])[] = [
  ['a Backlog.md folder', folder({ 'tasks/a.md': task }), 'backlog-md'],
  ['one below a folder', folder({ 'x/backlog/drafts/a.md': task, 'x/y.csv': 'id,title' }), 'backlog-md'],
  ['a Spec Kit project', folder({ 'specs/001-a/spec.md': '# A' }), 'spec-kit'],
  ['its constitution', folder({ '.specify/memory/constitution.md': '# A' }), 'spec-kit'],
  ['issues of beads', bareFile(`\n${issue}\n`), 'beads'],
  ['issues in a folder', folder({ '.beads/issues.jsonl': issue }), 'beads'],
  ['tasks of Task Master', bareFile(tasks), 'task-master'],
  ['tasks with tags', bareFile(`{"master": ${tasks}}`), 'task-master'],
  ['a table', bareFile('\uFEFFKey;Summary\n1;A'), 'csv'],
  ['a table of one column', bareFile('Title\nA'), 'csv'],
  ['a table in a folder', folder({ 'a/issues.csv': 'id,title\n1,A' }), 'csv'],
  ['a table without a title', bareFile('a,b\n1,2'), null],
  ['a text', bareFile('Hello, world.'), null],
  ['another JSON', bareFile('{"a": 1}'), null],
  ['no text', bareFile(''), null],
  ['a file that is no text', { filename: 'a.bin', entries: [{ name: null, text: null }] }, null],
  ['nothing', folder({}), null],
]

test.each(samples)('%s is told from its content', (_, source, format) => expect(detectFormat(source)).toBe(format))

test.each(samples)('%s is read as what it is, or refused with the formats', (_, source, format) => {
  if (format === null)
    expect(refusalOf(source)?.message).toMatch(/specboard, beads, backlog-md, task-master, spec-kit, csv/)
  else {
    expect(readingOf(source)).toMatchObject({ format })
    expect(readingOf(source, {}, format)).toMatchObject({ format })
  }
})

test('a source of another format than named is refused with the formats', () =>
  expect(refusalOf(bareFile(issue), {}, 'csv')?.message).toMatch(
    /^This is not in the format csv\. Looked for: csv.* Found: 1 file.* may be beads.* The formats are specboard, beads/,
  ))

test.each([
  ['{"name": "B", "lists": [], "cards": []}', 'an export of Trello as JSON'],
  ['{"data": [{"gid": "1", "name": "A"}]}', 'an export of Asana as JSON'],
  ['{"data": {"issues": {"nodes": []}}}', 'a response of Linear as JSON'],
  ['[{"number": 1, "title": "A", "state": "open"}]', 'a list of issues of GitHub as JSON'],
  ['{"data": [{"name": "A"}]}', null],
])('%s is refused by the name of its format, where it is certain (imports 1)', (text, name) => {
  const looks = /It looks like ([^,]+), which is not read here/.exec(refusalOf(bareFile(text))?.message ?? '')
  expect(looks?.[1] ?? null).toBe(name)
})

const archiveRecords = [
  '{"type":"board","id":"019cadd3-d676-7a41-8c3d-4f6e2b9a7d01","key":"WS","name":"Shop","settings":{},"last_number":1}',
  '{"type":"card","id":"019cadd3-d676-7a41-8c3d-4f6e2b9a7d02","number":1,"title":"A","status":"done","priority":"low"}',
].join('\n')

test.each([
  [
    'in a folder',
    folder({ 'shop/manifest.json': '{"format":"specboard.board"}', 'shop/records.jsonl': archiveRecords }),
    /It looks like an archive of a board \(specboard\) in a folder.* Zip its files without the folder/,
  ],
  ['without its zip', bareFile(archiveRecords), /It looks like a part of an archive.* Import the whole archive/],
])("an archive of a board %s is not read as another tool's issues", (_, source, message) =>
  expect(refusalOf(source)?.message).toMatch(message),
)

test('a million lines are too many', () =>
  expect(refusalOf(folder({ 'a.csv': 'id,title\n'.padEnd(9 + 1_000_000, '\n') }))).toMatchObject({
    message: 'There are more than 1000000 lines. Divide the source.',
    entry: 'a.csv',
  }))

test('two readings of a source are the same', () => {
  for (const [, source, format] of samples) if (format !== null) expect(readingOf(source)).toEqual(readingOf(source))
})
