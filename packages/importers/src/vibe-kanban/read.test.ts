import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { detectFormat } from '../chosen.ts'
import type { Source } from '../neutral.ts'
import { importedFieldsOf, ofType, problemsOf, readingOf, recordOf, refusalOf } from '../reading.testing.ts'

const project = Buffer.from('00000000000000000000000000000001', 'hex')
const painting = Buffer.from('0000000000000000000000000000000a', 'hex')
const drying = Buffer.from('0000000000000000000000000000000b', 'hex')
const attempt = Buffer.from('000000000000000000000000000000a1', 'hex')
const session = Buffer.from('000000000000000000000000000000a2', 'hex')
const run = Buffer.from('000000000000000000000000000000a3', 'hex')

const uuid = (end: string): string => `00000000-0000-0000-0000-${end.padStart(12, '0')}`

/** A database as the last versions of the tool made it. */
function database(change: (db: Database.Database) => void = () => {}): Buffer {
  const db = new Database(':memory:')
  db.exec(`
    create table projects (id blob primary key, name text not null, dev_script text, created_at text, updated_at text);
    create table tasks (id blob primary key, project_id blob not null, title text not null, description text,
      status text not null default 'todo' check (status in ('todo', 'inprogress', 'inreview', 'done', 'cancelled')),
      parent_workspace_id blob, created_at text, updated_at text);
    create table workspaces (id blob primary key, task_id blob not null, branch text, container_ref text, created_at text, updated_at text);
    create table sessions (id blob primary key, workspace_id blob not null, executor text, created_at text, updated_at text);
    create table execution_processes (id blob primary key, session_id blob, run_reason text, status text, created_at text, updated_at text);
    create table coding_agent_turns (id blob primary key, execution_process_id blob, prompt text, summary text, created_at text);
    create table merges (id blob primary key, workspace_id blob, merge_type text, merge_commit text, target_branch_name text,
      pr_number integer, pr_url text, pr_status text, pr_merged_at text, pr_merge_commit_sha text, created_at text);
    create table tags (id blob primary key, tag_name text, content text, created_at text, updated_at text);
    create table images (id blob primary key, file_path text);
  `)
  const at = '2026-01-05 10:00:00.123'
  db.prepare('insert into projects values (?, ?, ?, ?, ?)').run(project, 'Sheds', 'pnpm dev', at, at)
  const task = db.prepare('insert into tasks values (?, ?, ?, ?, ?, ?, ?, ?)')
  task.run(painting, project, 'Paint', 'Blue: not red.', 'inreview', null, at, '2026-01-06 10:00:00')
  task.run(drying, project, 'Dry', null, 'todo', attempt, at, at)
  db.prepare('insert into workspaces values (?, ?, ?, ?, ?, ?)').run(attempt, painting, 'vk/paint', '/tmp/x', at, at)
  db.prepare('insert into sessions values (?, ?, ?, ?, ?)').run(session, attempt, 'CLAUDE_CODE', at, at)
  db.prepare('insert into execution_processes values (?, ?, ?, ?, ?, ?)').run(
    run,
    session,
    'codingagent',
    'completed',
    at,
    at,
  )
  db.prepare('insert into coding_agent_turns values (?, ?, ?, ?, ?)').run(run, run, 'Paint it.', 'Painted.', at)
  db.prepare('insert into merges values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
    ...[run, attempt, 'pr', null, 'main', 7, 'https://example.test/7', 'merged', at, 'abc123', at],
  )
  db.prepare('insert into tags values (?, ?, ?, ?, ?)').run(run, 'style', 'Use two blanks.', at, at)
  db.prepare('insert into images values (?, ?)').run(run, 'x.png')
  change(db)
  return db.serialize()
}

const sourceOf = (bytes: Uint8Array): Source => ({
  filename: 'db.sqlite',
  entries: [{ name: null, text: null, bytes }],
})

describe('a database of vibe-kanban', () => {
  const reading = readingOf(sourceOf(database()))

  test('is told from its tables', () =>
    expect(reading).toMatchObject({ format: 'vibe-kanban', board: { name: 'Sheds' } }))

  test('has projects as specs', () => {
    expect(recordOf('spec', `project:${uuid('1')}`, reading)).toMatchObject({
      title: 'Sheds',
      status: 'in_progress',
      created_at: '2026-01-05T10:00:00.123Z',
    })
    expect(importedFieldsOf(`project:${uuid('1')}`, reading)).toBe('**dev_script**: pnpm dev')
  })

  test('has tasks as cards', () => {
    expect(recordOf('card', uuid('a'), reading)).toMatchObject({
      spec_id: `project:${uuid('1')}`,
      title: 'Paint',
      description: 'Blue: not red.',
      status: 'validation',
      updated_at: '2026-01-06T10:00:00.000Z',
    })
    expect(recordOf('card', uuid('b'), reading)).toMatchObject({ status: 'not_started', labels: ['sub:Paint'] })
  })

  test('has attempts as comments', () => {
    const [comment] = ofType('comment', reading)
    expect(comment).toMatchObject({
      card_id: uuid('a'),
      created_by: 'CLAUDE_CODE',
      created_at: '2026-01-05T10:00:00.123Z',
    })
    for (const part of [
      'vk/paint',
      'codingagent: completed',
      'https://example.test/7 (merged)',
      'abc123',
      'Paint it.',
      'Painted.',
    ])
      expect(comment!.content).toContain(part)
  })

  test('keeps texts for prompts, and tells of tables without a place', () => {
    expect(ofType('knowledge', reading).map(({ title, content }) => [title, content])).toContainEqual([
      'style',
      'Use two blanks.',
    ])
    expect(problemsOf('skipped', reading)).toEqual([':  The rows of the table images have no place here.'])
  })

  test('is the same whatever the order of its rows', () => {
    const turned = readingOf(
      sourceOf(
        database(db =>
          db.exec(
            'pragma writable_schema = 0; create table t as select * from tasks order by title; delete from tasks; insert into tasks select * from t order by title desc; drop table t',
          ),
        ),
      ),
    )
    const cards = (of: typeof reading) =>
      ofType('card', of)
        .map(({ id, title }) => `${id} ${title}`)
        .toSorted()
    expect(cards(turned)).toEqual(cards(reading))
  })
})

test('older versions kept attempts in a table of another name', () => {
  const db = new Database(':memory:')
  db.exec(`
    create table projects (id text, name text, git_repo_path text);
    create table tasks (id text, project_id text, title text, description text, status text, created_at text);
    create table task_attempts (id text, task_id text, branch text, executor text, merge_commit text, created_at text);
    insert into projects values ('P1', 'Sheds', '/repo');
    insert into tasks values ('T1', 'P1', 'Paint', null, 'done', '2025-07-01 10:00:00');
    insert into task_attempts values ('A1', 'T1', 'vk/paint', 'claude', 'abc123', '2025-07-01 11:00:00');
    insert into task_attempts values ('A2', 'T9', 'vk/lost', 'claude', null, '2025-07-01 11:00:00');
  `)
  const reading = readingOf(sourceOf(db.serialize()))
  expect(recordOf('card', 't1', reading)).toMatchObject({ status: 'done', spec_id: 'project:p1' })
  expect(ofType('comment', reading)[0]!.content).toContain('merged as abc123')
  expect(problemsOf('skipped', reading)).toEqual([': attempt:a2 Its task is not here.'])
})

describe('nothing vanishes without a word', () => {
  test.each(['projects', 'tasks', 'workspaces', 'repos', 'project_repos'])(
    'a column of %s without a place is kept',
    table => {
      const reading = readingOf(
        sourceOf(
          database(db => {
            db.exec(
              'create table repos (id blob, path text, name text); create table project_repos (project_id blob, repo_id blob)',
            )
            db.prepare('insert into repos values (?, ?, ?)').run(run, '/sheds', 'sheds')
            db.prepare('insert into project_repos values (?, ?)').run(project, run)
            db.exec(`alter table ${table} add column shade text; update ${table} set shade = 'Teal: or blue'`)
          }),
        ),
      )
      expect(reading.records.some(record => 'content' in record && record.content.includes('Teal: or blue'))).toBe(true)
    },
  )

  test('what cannot be read of a task is kept, and what it names and is not here is told', () => {
    const reading = readingOf(
      sourceOf(
        database(db => {
          db.prepare(
            "update tasks set title = cast('Dry' as blob), created_at = 'yesterday', parent_workspace_id = ? where id = ?",
          ).run(run, drying)
          db.prepare('update tasks set project_id = ? where id = ?').run(run, painting)
        }),
      ),
    )
    expect(recordOf('card', uuid('b'), reading)).toMatchObject({ title: 'Dry', created_at: null, labels: [] })
    expect(importedFieldsOf(uuid('b'), reading)).toBe(
      `**parent_workspace_id**: ${uuid('a3')}\n\n**created_at**: yesterday`,
    )
    expect(importedFieldsOf(uuid('a'), reading)).toBe(`**project_id**: ${uuid('a3')}`)
    expect(problemsOf('changed', reading)).toEqual([
      `: ${uuid('a')} Its project is not here; it goes into the spec "Imported".`,
      `: ${uuid('b')} The task whose attempt created it is not here.`,
    ])
  })

  test('pull requests of the latest versions stand in a table of their own', () => {
    const tracked = (db: Database.Database, owner: Buffer) => {
      db.exec(
        'create table tracked_prs (id text, workspace_id blob, pr_url text, pr_number integer, pr_status text, target_branch_name text)',
      )
      db.prepare('insert into tracked_prs values (?, ?, ?, ?, ?, ?)').run(
        'AB',
        owner,
        'https://example.test/8',
        8,
        'open',
        'main',
      )
    }
    const [comment] = ofType('comment', readingOf(sourceOf(database(db => tracked(db, attempt)))))
    expect(comment!.content).toContain('pull request https://example.test/8 (open), into main')
    expect(problemsOf('skipped', readingOf(sourceOf(database(db => tracked(db, run)))))).toContain(
      ':  pull requests (1 rows) belong to no attempt here.',
    )
  })

  test('rows in the table of an older version beside the newer one are told', () => {
    const reading = readingOf(
      sourceOf(database(db => db.exec("create table task_attempts (id text); insert into task_attempts values ('x')"))),
    )
    expect(problemsOf('skipped', reading)).toContain(':  The rows of the table task_attempts have no place here.')
  })
})

describe('what somebody else put into a database', () => {
  test('views and virtual tables are not read as tables', () =>
    expect(
      detectFormat(
        sourceOf(
          database(db =>
            db.exec(
              'drop table tasks; create view tasks as select 1 as id, 2 as project_id, load_extension(3) as title',
            ),
          ),
        ),
      ),
    ).toBeNull())

  test('computed columns, checks and triggers do not run', () => {
    const bytes = database(db =>
      db.exec(`
        alter table tasks add column due_date text as (printf('%.*c', 100000000, 'x')) virtual;
        create trigger bad before insert on projects begin select load_extension('x'); end;
      `),
    )
    expect(recordOf('card', uuid('a'), readingOf(sourceOf(bytes))).due_date).toBeNull()
  })

  test.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 4096)],
    ['overwritten', (bytes: Buffer) => bytes.fill(0xff, 4096, 12_288)],
    ['nothing but a header', () => Buffer.from('SQLite format 3\0'.padEnd(4096, 'x'))],
  ])('a database that is %s is refused', (_, spoil) =>
    expect(refusalOf(sourceOf(spoil(database())), {}, 'vibe-kanban')?.message).toMatch(/SQLite|vibe-kanban/),
  )

  test('one with a write-ahead log is read, and the log is told', () => {
    const bytes = database()
    bytes[18] = bytes[19] = 2
    const entries = [
      { name: 'db.sqlite', text: null, bytes },
      { name: 'db.sqlite-wal', text: null, bytes: Buffer.from([0, 1, 2]) },
    ]
    const reading = readingOf({ filename: 'x.zip', entries })
    expect(ofType('card', reading)).toHaveLength(2)
    expect(problemsOf('not_read', reading)).toHaveLength(1)
  })
})
