import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { World } from './support/world.ts'
import { zipOf } from './support/zip-entries.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

type Files = Readonly<Record<string, string>>

const zipped = async (files: Files): Promise<File> => new File([await zipOf(Object.entries(files))], 'project.zip')

const task = (id: string, title: string): string => `---\nid: ${id}\ntitle: ${title}\nstatus: To Do\n---\nText\n`

/** Longer than what is read in the thread that serves calls. */
const long = (line: (at: number) => string): string => Array.from({ length: 2_000 }, (_, at) => line(at)).join('\n')

describe('a file that is read in a thread (walls 5)', () => {
  const issues = long(at =>
    JSON.stringify({ id: `bd-${at}`, title: `Title of ${at}`, status: 'open', design: 'Paint.' }),
  )

  test('comes in as a small one does, and again without a change', async () => {
    const file = new File([issues], 'issues.jsonl')
    const first = await world.ok('import_board', { file })
    expect(first).toMatchObject({ format: 'beads', created: { card: 2_000 }, sums: { not_read: 0 } })
    const { board_id } = first
    const second = await world.ok('import_board', { file, board_id })
    expect(second.sums).toMatchObject({ created: 0, changed: 0, unchanged: first.sums.created - 1 })
  })

  test('is refused as a small one is', async () => {
    const nothing = await world.call('import_board', { file: new File([long(() => 'Nothing of use.')], 'a.log') })
    expect([nothing.status, nothing.body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(nothing.body.detail.message).toMatch(/in no format.*Looked for: .*Found: 1 file/)
    const both = await zipped({ '.beads/issues.jsonl': issues, 'backlog/tasks/1.md': task('task-1', 'A') })
    const { status, body } = await world.call('import_board', { file: both })
    expect([status, body.detail.error]).toEqual([400, 'AMBIGUOUS_SOURCE'])
    expect(body.detail.fits).toMatchObject([{ format: 'beads' }, { format: 'backlog-md' }])
    const named = await world.ok('import_board', { file: both, format: 'backlog-md', dry_run: true })
    expect(named).toMatchObject({ created: { card: 1 } })
  })
})

describe('a zip that unpacks to more than it may (walls 5)', () => {
  test('is refused by the ratio of all of its files together', async () => {
    const blanks = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.txt`, ' '.repeat(1 << 19)]))
    const { status, body } = await world.call('import_board', { file: await zipped(blanks), dry_run: true })
    expect([status, body.detail.message]).toEqual([400, expect.stringContaining('more than 100 times')])
  })

  test('is refused where files share their bytes', async () => {
    const bytes = await zipOf([
      ['a.csv', 'id,title\n1,One\n'],
      ['b.csv', 'id,title\n2,Two\n'],
    ])
    // The second entry of the table of contents points to the first file.
    const second = bytes.lastIndexOf(Buffer.from('504b0102', 'hex'))
    bytes.writeUInt32LE(0, second + 42)
    const { status, body } = await world.call('import_board', { file: new File([bytes], 'a.zip') })
    expect([status, body.detail.message]).toEqual([400, expect.stringMatching(/overlap|not a zip/)])
  })
})

test('no order, name or place of files turns a card into another one (imports 3)', async () => {
  const variations: readonly Files[] = [
    { 'tasks/a.md': task('task-1', 'One'), 'tasks/b.md': task('task-1', 'Two'), 'tasks/c.md': task('task-2', 'Three') },
    { 'tasks/z.md': task('task-1', 'One'), 'tasks/b.md': task('task-1', 'Two'), 'tasks/y.md': task('task-2', 'Three') },
    { 'archive/tasks/a.md': task('task-1', 'One'), 'tasks/0.md': task('task-1', 'Two') },
    { 'tasks/b.md': task('task-1', 'Two'), 'tasks/c.md': task('task-2', 'Three') },
    {
      'completed/q.md': task('task-1', 'One'),
      'tasks/b.md': task('task-1', 'Four'),
      'tasks/c.md': task('task-2', 'Three'),
    },
  ]
  const [first, ...later] = variations
  const { board_id } = await world.ok('import_board', { file: await zipped(first!) })
  const titles = async (): Promise<Map<string, string>> => {
    const cards: { id: string; title: string }[] = await world.ok('list_cards', { board_id, include_archived: true })
    return new Map(cards.map(({ id, title }) => [id, title]))
  }
  const expected = await titles()
  for (const files of later) {
    await world.ok('import_board', { file: await zipped(files), board_id })
    const current = await titles()
    for (const [id, title] of expected) expect(current.get(id)).toBe(title)
    for (const [id, title] of current) expected.set(id, title)
  }
  expect([...expected.values()].toSorted()).toEqual(['Four', 'One', 'Three', 'Two'])
})

test('the report says what was not read, which words were read as what, and mapping changes that', async () => {
  const lines = [
    { id: 'a', title: 'A', status: 'Erledigt' },
    { id: 'b', title: 'B', status: 'Erledigt', issue_type: 'Fehler' },
  ].map(issue => JSON.stringify(issue))
  const file = new File([[...lines, 'odd'].join('\n')], 'issues.jsonl')
  const plain = await world.ok('import_board', { file, dry_run: true })
  expect(plain).toMatchObject({
    not_read: [{ entry: null, line: 3 }],
    not_read_total: 1,
    mapped_words: [{ field: 'status', word: 'Erledigt', value: 'not_started', count: 2, by: 'default' }],
  })
  for (const mapping of [
    'status.Erledigt=done,type.Fehler=bug',
    '{"status":{"erledigt":"done"},"type":{"Fehler":"bug"}}',
  ]) {
    const { board_id, mapped_words } = await world.ok('import_board', { file, mapping })
    expect(mapped_words).toContainEqual({ field: 'status', word: 'Erledigt', value: 'done', count: 2, by: 'mapping' })
    const cards: { title: string; status: string; card_type: string }[] = await world.ok('list_cards', { board_id })
    expect(cards.map(({ title, status, card_type }) => [title, status, card_type]).toSorted()).toEqual([
      ['A', 'done', 'normal'],
      ['B', 'done', 'bug'],
    ])
  }
  const wrong = await world.call('import_board', { file, mapping: 'status.Erledigt=finished' })
  expect([wrong.status, wrong.body.detail.message]).toEqual([400, expect.stringContaining('It can be not_started')])
})
