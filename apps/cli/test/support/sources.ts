/** A small source of each format that imports read, with something in it that is not taken over. */
import Database from 'better-sqlite3'
import { zipOf } from './zip-entries.ts'

/** The formats of other tools. */
export const foreignFormats = [
  'beads',
  'backlog-md',
  'task-master',
  'spec-kit',
  'csv',
  'openspec',
  'vibe-kanban',
] as const

export type ForeignFormat = (typeof foreignFormats)[number]

interface Sized {
  /** The lines of a list with a number for each. */
  readonly lines: (line: (at: number) => string) => string
  readonly numbers: readonly number[]
}

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`

const issue = (at: number): string =>
  JSON.stringify({
    id: `farm-${at}`,
    title: `Paint post ${at}`,
    description: `The post ${at}: blue, not red.`,
    status: at % 3 === 0 ? 'closed' : 'open',
    priority: at % 5,
    issue_type: 'task',
    labels: ['outdoor'],
    created_at: '2026-01-05T10:00:00Z',
    dependencies:
      at > 1 && at % 4 === 0 ? [{ issue_id: `farm-${at}`, depends_on_id: `farm-${at - 1}`, type: 'blocks' }] : [],
    comments: at % 10 === 0 ? [{ author: 'Ada', text: 'Two coats.', created_at: '2026-01-06T10:00:00Z' }] : [],
  })

const task = (at: number): string =>
  lines(
    '---',
    `id: task-${at}`,
    `title: Paint post ${at}`,
    `status: ${at % 3 === 0 ? 'Done' : 'To Do'}`,
    'labels: [outdoor]',
    'priority: high',
    `dependencies: [${at % 4 === 0 && at > 1 ? `task-${at - 1}` : ''}]`,
    "created_date: '2026-01-05'",
    '---',
    '## Description',
    `The post ${at}: blue, not red.`,
    '## Acceptance Criteria',
    '- [ ] Two coats',
  )

const requirement = (at: number): string =>
  lines(
    `### Requirement: Post ${at}`,
    'It SHALL be blue: not red.',
    '#### Scenario: Rain',
    '- **WHEN** it rains',
    '- **THEN** it stays blue',
  )

type Entries = readonly (readonly [string, string])[]

const entriesOf: Readonly<
  Record<Exclude<ForeignFormat, 'vibe-kanban' | 'csv' | 'beads' | 'task-master'>, (sized: Sized) => Entries>
> = {
  'backlog-md': ({ numbers }) => [
    ['backlog/config.yml', 'project_name: Farm\n'],
    ['backlog/notes.odd', 'Nobody reads this.'],
    ...numbers.map(at => [`backlog/tasks/task-${at} - post.md`, task(at)] as const),
  ],
  'spec-kit': ({ lines: each }) => [
    [
      'specs/001-fence/spec.md',
      lines('# Feature Specification: Fence', '- **FR-001**: System MUST paint: red, green.'),
    ],
    [
      'specs/001-fence/tasks.md',
      lines(
        '## Phase 1: Posts',
        each(at => `- [${at % 3 === 0 ? 'x' : ' '}] T${at} [P] Paint post ${at}`),
        '- [ ]',
      ),
    ],
  ],
  openspec: ({ lines: each }) => [
    ['openspec/specs/fence/spec.md', lines('# Fence', '## Requirements', requirement(1))],
    ['openspec/changes/paint/proposal.md', lines('# Change: Paint', '## Why', 'It rusts.')],
    ['openspec/changes/paint/specs/fence/spec.md', lines('## ADDED Requirements', requirement(2))],
    [
      'openspec/changes/paint/tasks.md',
      lines(
        '## 1. Posts',
        each(at => `- [${at % 3 === 0 ? 'x' : ' '}] 1.${at} Paint post ${at}`),
        '- [ ]',
      ),
    ],
  ],
}

function database({ numbers }: Sized): Buffer {
  const db = new Database(':memory:')
  db.exec(`
    create table projects (id text primary key, name text);
    create table tasks (id text primary key, project_id text, title text, description text, status text, created_at text);
    create table task_attempts (id text primary key, task_id text, branch text, created_at text);
    create table images (id text primary key, path text);
    insert into projects values ('p', 'Farm');
    insert into images values ('i', 'post.png');
  `)
  const insert = db.prepare('insert into tasks values (?, ?, ?, ?, ?, ?)')
  const attempt = db.prepare('insert into task_attempts values (?, ?, ?, ?)')
  for (const at of numbers) {
    const status = at % 3 === 0 ? 'done' : 'todo'
    insert.run(`t${at}`, 'p', `Paint post ${at}`, 'Blue: not red.', status, '2026-01-05 10:00:00')
    if (at % 10 === 0) attempt.run(`a${at}`, `t${at}`, `vk/post-${at}`, '2026-01-06 10:00:00')
  }
  return db.serialize()
}

const masterTask = (at: number) => ({
  id: at,
  title: `Paint post ${at}`,
  status: at % 3 === 0 ? 'done' : 'pending',
  priority: 'high',
  dependencies: at % 4 === 0 && at > 1 ? [at - 1] : [],
})

/** A source of a format with a number of cards. */
export async function sourceOf(format: ForeignFormat, cards = 12): Promise<File> {
  const numbers = Array.from({ length: cards }, (_, at) => at + 1)
  const sized: Sized = { numbers, lines: line => numbers.map(line).join('\n') }
  if (format === 'vibe-kanban') return new File([database(sized)], 'db.sqlite')
  if (format === 'csv') {
    const row = (at: number) => `F-${at},Paint post ${at},${at % 3 === 0 ? 'Done' : 'To Do'},High,outdoor,2026-01-05`
    return new File([lines('id,title,status,priority,labels,created', sized.lines(row), '"open')], 'farm.csv')
  }
  if (format === 'beads')
    return new File([lines(sized.lines(issue), '{"_type": "memory", "key": "k", "value": "v"}', '{')], 'farm.jsonl')
  if (format === 'task-master') {
    const tasks: unknown[] = [...numbers.map(masterTask), null]
    return new File([JSON.stringify({ master: { tasks, metadata: {} } })], 'tasks.json')
  }
  return new File([await zipOf(entriesOf[format](sized))], 'farm.zip')
}
