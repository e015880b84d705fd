import { describe, expect, test } from 'vitest'
import {
  bareFile,
  folder,
  importedFieldsOf,
  linksIn,
  ofType,
  problemsOf,
  readingOf,
  recordOf,
  refusalOf,
} from '../reading.testing.ts'

const file = (content: unknown) => bareFile(JSON.stringify(content, null, 2), 'tasks.json')

const tasks = [
  {
    id: 1,
    title: 'Set up',
    description: 'Start the repository.',
    details: 'Use the template.',
    testStrategy: 'It builds.',
    status: 'done',
    priority: 'high',
    dependencies: [],
    complexity: 4,
    subtasks: [],
    updatedAt: '2026-03-20T14:05:09.123Z',
  },
  {
    id: 2,
    title: 'Sign in',
    status: 'in-progress',
    priority: 'medium',
    dependencies: [1],
    subtasks: [
      { id: 1, title: 'Form', status: 'done', dependencies: [], parentTaskId: 2 },
      { id: 2, title: 'Session', status: 'pending', dependencies: [1] },
      { id: 3, title: 'Sign out', status: 'pending', dependencies: ['2.1', 2, 9] },
    ],
  },
  { id: 3, title: 'Ship', status: 'odd', priority: 'odder', dependencies: ['2.3', 1] },
]

describe('a file without tags', () => {
  const reading = readingOf(file({ tasks, metadata: { projectName: 'Shop' }, version: '1' }))

  test('is one spec', () => {
    expect(ofType('spec', reading)).toMatchObject([
      { id: 'master', title: 'master', status: 'in_progress' },
      { id: 'spec:Imported' },
    ])
    expect(importedFieldsOf('master', reading)).toBe('**projectName**: Shop')
    expect(importedFieldsOf('spec:Imported', reading)).toBe('**version**: 1')
  })

  test('gives tasks and subtasks as cards', () => {
    expect(ofType('card', reading).map(({ id, title, labels, status }) => [id, title, labels, status])).toEqual([
      ['master:1', 'Set up', [], 'done'],
      ['master:2', 'Sign in', [], 'in_progress'],
      ['master:2.1', 'Form', ['sub:2'], 'done'],
      ['master:2.2', 'Session', ['sub:2'], 'not_started'],
      ['master:2.3', 'Sign out', ['sub:2'], 'not_started'],
      ['master:3', 'Ship', [], 'not_started'],
    ])
    expect(recordOf('card', 'master:1', reading)).toMatchObject({
      spec_id: 'master',
      description: 'Start the repository.',
      details: 'Use the template.\n\n## Test strategy\n\nIt builds.',
      priority: 'high',
      updated_at: '2026-03-20T14:05:09.123Z',
    })
    expect(importedFieldsOf('master:1', reading)).toBe('**complexity**: 4')
  })

  test('gives their links: a bare number in a subtask is a sibling', () => {
    expect(linksIn(reading)).toEqual([
      'master:2>master:1',
      'master:2>master:2.1',
      'master:2>master:2.2',
      'master:2.2>master:2.1',
      'master:2>master:2.3',
      'master:2.3>master:2.1',
      'master:2.3>master:2.2',
      'master:3>master:2.3',
      'master:3>master:1',
    ])
    expect(problemsOf('skipped', reading)).toEqual([
      expect.stringContaining('master:2.3>9 A link to 9, which is not a task of master.'),
    ])
  })

  test('tells of unknown words', () => {
    expect(recordOf('card', 'master:3', reading)).toMatchObject({ status: 'not_started', priority: 'none' })
    expect(reading.mapped_words.filter(({ by }) => by === 'default')).toEqual([
      { field: 'status', word: 'odd', value: 'not_started', count: 1, by: 'default' },
      { field: 'priority', word: 'odder', value: 'none', count: 1, by: 'default' },
    ])
  })
})

test.each([
  ['pending', 'not_started'],
  ['in-progress', 'in_progress'],
  ['review', 'validation'],
  ['done', 'done'],
  ['deferred', 'on_hold'],
  ['cancelled', 'cancelled'],
  ['blocked', 'on_hold'],
])('the status %s is %s', (status, read) =>
  expect(recordOf('card', 'master:1', readingOf(file({ tasks: [{ id: 1, title: 'A', status }] }))).status).toBe(read),
)

test('a file with tags gives a spec a tag', () => {
  const reading = readingOf(
    file({
      master: { tasks: [{ id: '1', title: 'A' }], metadata: { created: '2026-03-20', description: 'All.' } },
      'feature-x': { tasks: [{ id: 1, title: 'B', dependencies: ['1'] }], metadata: {} },
    }),
  )
  expect(recordOf('spec', 'master', reading)).toMatchObject({
    description: 'All.',
    created_at: '2026-03-20T00:00:00.000Z',
  })
  expect(ofType('spec', reading).map(({ title }) => title)).toEqual(['master', 'feature-x'])
  expect(ofType('card', reading).map(({ id, spec_id }) => [id, spec_id])).toEqual([
    ['master:1', 'master'],
    ['feature-x:1', 'feature-x'],
  ])
  expect(problemsOf('skipped', reading)).toEqual([
    ':16 feature-x:1>feature-x:1 The link closes a cycle with earlier links.',
  ])
})

test('empty fields beside the tasks make no spec', () =>
  expect(ofType('spec', readingOf(file({ tasks: [{ id: 1, title: 'A' }], version: null, note: '' })))).toHaveLength(1))

test('the file is found in a project', () => {
  const reading = readingOf(
    folder({ '.taskmaster/config.json': '{}', '.taskmaster/tasks/tasks.json': JSON.stringify({ tasks }) }),
  )
  expect(ofType('card', reading)).toHaveLength(6)
  expect(problemsOf('skipped', reading)).toContain('.taskmaster/config.json:  The format has no such file.')
})

test('settings that name the project are not reported as an unknown file', () => {
  const settings = { global: { projectName: 'Web shop' }, models: { main: { provider: 'anthropic' } } }
  const reading = readingOf(
    folder({
      '.taskmaster/config.json': JSON.stringify(settings),
      '.taskmaster/tasks/tasks.json': JSON.stringify({ tasks }),
    }),
  )
  expect(reading.board.name).toBe('Web shop')
  expect(problemsOf('skipped', reading)).not.toContainEqual(expect.stringContaining('config.json'))
  expect(problemsOf('note', reading)).toContain(
    '.taskmaster/config.json:  Only the name of the project is read from it.',
  )
})

test.each([
  ['no JSON', '{\n"tasks": [\n{"id": 1,}]}', 3],
  ['a task without a title', '{"tasks": [{"id": 1}]}', null],
])('%s is refused', (_, text, line) =>
  expect(refusalOf(bareFile(text))).toMatchObject({ message: expect.stringMatching(/^This is in no format/), line }),
)
