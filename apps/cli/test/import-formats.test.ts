/** Files of other tools through the whole service: what becomes of them, and that a second import changes nothing. */
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { World } from './support/world.ts'
import { zipOf } from './support/zip-entries.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const zipped = async (entries: readonly (readonly [string, string])[], name = 'farm.zip'): Promise<File> =>
  new File([await zipOf(entries)], name, { type: 'application/zip' })

const table = (text: string): File => new File([text], 'table.csv', { type: 'text/csv' })

/** Imports a file into a new board, and again into it, which changes nothing. */
async function importedTwice(file: File, query: object = {}) {
  const { status, body } = await world.call('import_board', { file, ...query })
  expect([status, body.detail]).toEqual([201, undefined])
  const again = await world.call('import_board', { file, board_id: body.board_id, ...query })
  expect([again.body.created, again.body.updated]).toEqual([{}, {}])
  expect(again.body.sums.read).toBe(body.sums.read - 1)
  return body
}

/** The cards of a board whole, by title, archived ones among them. */
async function cardsOf(board_id: string) {
  const listed: { id: string; title: string }[] = await world.ok('list_cards', { board_id, include_archived: true })
  const sorted = listed.toSorted((a, b) => (a.title < b.title ? -1 : 1))
  return Promise.all(sorted.map(({ id }) => world.ok('get_card', { card_id: id })))
}

test('an issue that is of another kind now is told as that, not as deleted', async () => {
  const issue = (id: string, issue_type: string, parent?: string) => ({
    id,
    title: id,
    status: 'open',
    issue_type,
    created_at: '2026-01-01T00:00:00Z',
    ...(parent !== undefined && { dependencies: [{ issue_id: id, depends_on_id: parent, type: 'parent-child' }] }),
  })
  const file = (...issues: readonly object[]) =>
    new File([issues.map(each => JSON.stringify(each)).join('\n')], 'issues.jsonl')
  const { board_id } = await world.ok('import_board', { file: file(issue('a', 'epic'), issue('b', 'task', 'a')) })
  const report = await world.ok('import_board', { board_id, file: file(issue('a', 'epic'), issue('b', 'task')) })
  const reason = 'It was imported as kind spec before, which does not change'
  expect(report.problems).toContainEqual(expect.objectContaining({ id: 'a', severity: 'skipped', reason }))
  expect(report.skipped_reasons).toEqual({ [reason]: 1 })
  const turned = await world.ok('import_board', { file: file(issue('a', 'task')) })
  const into = { board_id: turned.board_id, file: file(issue('a', 'epic'), issue('b', 'task', 'a')) }
  expect((await world.ok('import_board', into)).problems).toContainEqual(
    expect.objectContaining({ id: 'b', reason: 'Its spec a is not here; the card goes into the spec "Imported"' }),
  )
})

describe('an OpenSpec project', () => {
  test('becomes ideations, specs and cards, whole also in an archive', async () => {
    const file = await zipped([
      [
        'openspec/specs/gate/spec.md',
        '# Gate\n\n## Requirements\n\n### Requirement: Key\nIt SHALL open.\n\n#### Scenario: Turn\n- **WHEN** a key is turned\n- **THEN** it opens',
      ],
      ['openspec/changes/add-lock/proposal.md', '# Change: Add a lock\n\n## Why\nSheep.\n\n## What Changes\n- A lock'],
      ['openspec/changes/add-lock/tasks.md', '## 1. Lock\n- [x] 1.1 Buy\n- [ ] 1.2 Screw (depends on 1.1)'],
      ['openspec/changes/archive/2026-01-15-add-gate/proposal.md', '# Add gate'],
      ['openspec/changes/archive/2026-01-15-add-gate/tasks.md', '- [ ] 1.1 Build'],
    ])
    const { board_id, format } = await importedTwice(file)
    expect(format).toBe('openspec')
    const ideations = await world.ok('list_ideations', { board_id, include_archived: true })
    expect(
      ideations.map(({ title, status, archived }: Record<string, unknown>) => [title, status, archived]).toSorted(),
    ).toEqual([
      ['Add a lock', 'approved', false],
      ['Add gate', 'done', true],
    ])
    const ideation = await world.ok('get_ideation', {
      ideation_id: ideations.find((one: { title: string }) => one.title === 'Add a lock').id,
    })
    expect(ideation).toMatchObject({
      problem_statement: 'Sheep.',
      proposed_approach: '- A lock',
      specs: [{ title: 'Add a lock' }],
    })
    expect(
      (await cardsOf(board_id)).map(({ title, status, archived }: Record<string, unknown>) => [
        title,
        status,
        archived,
      ]),
    ).toEqual([
      ['Build', 'not_started', true],
      ['Buy', 'done', false],
      ['Screw (depends on 1.1)', 'not_started', false],
    ])
    const back = await world.call('import_board', { file: await world.archive(board_id), keep_ids: false })
    expect([back.status, back.body.created.ideation]).toEqual([201, 2])
  })
})

describe('a database of vibe-kanban', () => {
  const database = (): Buffer => {
    const db = new Database(':memory:')
    db.exec(`
      create table projects (id text primary key, name text);
      create table tasks (id text primary key, project_id text, title text, status text, created_at text);
      create table workspaces (id text primary key, task_id text, branch text, created_at text);
      insert into projects values ('p', 'Sheds');
      insert into tasks values ('t', 'p', 'Paint', 'inreview', '2026-01-05 10:00:00'), ('u', 'p', 'Dry', 'todo', null);
      insert into workspaces values ('w', 't', 'vk/paint', '2026-01-05 11:00:00');
    `)
    return db.serialize()
  }

  test('becomes a board with its projects, tasks and attempts', async () => {
    const { board_id, format } = await importedTwice(new File([database()], 'db.sqlite'))
    expect(format).toBe('vibe-kanban')
    expect((await world.ok('get_board', { board_id })).name).toBe('Sheds')
    const cards = await cardsOf(board_id)
    expect(cards.map(({ title, status }: Record<string, unknown>) => [title, status])).toEqual([
      ['Dry', 'not_started'],
      ['Paint', 'validation'],
    ])
    expect(JSON.stringify(cards[1]!.comments)).toContain('vk/paint')
  })

  test('that is damaged is refused', async () => {
    const bytes = database()
    bytes.fill(0xff, 4096)
    const { status, body } = await world.call('import_board', {
      file: new File([bytes], 'db.sqlite'),
      format: 'vibe-kanban',
    })
    expect([status, body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('a Spec Kit project', () => {
  const file = () =>
    zipped([
      ['specs/001-fence/spec.md', '# Feature Specification: Fence\n\n- **FR-001**: System MUST paint: red, green.'],
      [
        'specs/001-fence/tasks.md',
        '## Phase 1\n- [ ] T001 Buy\n- [~] **T002** [P] Sand\n- [ ] Dry\n\n## Phase 2\n- [ ] T003 Hang',
      ],
    ])

  test('has one ready card at first, and all without the inferred order', async () => {
    const ready = async (board_id: string) =>
      (await world.ok('list_ready_cards', { board_id })).map(({ title }: { title: string }) => title)
    const report = await importedTwice(await file())
    expect(report.inferred.length).toBe(1)
    expect(report.mapped_words).toEqual([])
    expect(await ready(report.board_id)).toEqual(['Buy'])
    const free = await importedTwice(await file(), { inferred_order: false })
    expect(await ready(free.board_id)).toEqual(expect.arrayContaining(['Buy', 'Dry', 'Hang']))
  })
})

describe('tables', () => {
  test('an export of Jira comes with parents, comments, closing times and archived rows', async () => {
    const { board_id } = await importedTwice(
      table(
        [
          'Summary,Issue key,Issue id,Status,Resolution,Assignee,Assignee Id,Reporter,Resolved,Parent,Parent key,Parent summary,Comment,Archived',
          'Paint,SHED-2,10002,Done,Fixed,"Example, Ada",712020:aa,Grace Example,5/Jan/26 2:05 PM,10001,SHED-1,Sheds,5/Jan/26 3:00 PM;712020:aa;Blue.,',
          'Dry,SHED-3,10003,Backlog,,,,Grace Example,,10001,,,,true',
        ].join('\n'),
      ),
    )
    expect(await cardsOf(board_id)).toMatchObject([
      { title: 'Dry', archived: true },
      { title: 'Paint', status: 'done', assignee_id: 'Example, Ada', created_by: 'external:Grace Example', labels: [] },
    ])
    expect((await world.ok('list_specs', { board_id })).map(({ title }: { title: string }) => title)).toEqual([
      'SHED-1: Sheds',
    ])
  })

  test('rows that are moved, added and changed keep their cards', async () => {
    const { board_id } = await importedTwice(table('title,status,created\nA,To Do,2026-01-01\nB,To Do,2026-01-01\n'))
    const before = await cardsOf(board_id)
    const { problems } = await world.ok('import_board', {
      file: table('created,title,status\n2026-01-01,C,To Do\n2026-01-01,B,Done\n2026-01-01,A,To Do\n'),
      board_id,
    })
    expect(problems).toMatchObject([{ reason: 'Stays as it is here: status (a status changes only by a move)' }])
    const after = await cardsOf(board_id)
    expect(after.map(({ title, status }: Record<string, unknown>) => [title, status])).toEqual([
      ['A', 'not_started'],
      ['B', 'not_started'],
      ['C', 'not_started'],
    ])
    expect(after.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual(before.map(({ id }: { id: string }) => id))
  })

  test('one without titles is refused with its columns and a mapping, which works', async () => {
    const file = () => table('Resumen,Estado\nPintar,Finalizada\n')
    const { status, body } = await world.call('import_board', { file: file() })
    expect([status, body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.detail.message).toMatch(/Resumen, Estado.*column\.Resumen=title/)
    const mapping = JSON.stringify({
      column: { Resumen: 'title', Estado: 'status' },
      status: { Finalizada: 'cancelled' },
    })
    const { board_id } = await importedTwice(file(), { format: 'csv', mapping })
    expect(await cardsOf(board_id)).toMatchObject([{ title: 'Pintar', status: 'cancelled' }])
  })
})
