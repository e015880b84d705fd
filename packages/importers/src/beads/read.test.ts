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
} from '../reading.testing.ts'

type Fields = Readonly<Record<string, unknown>>

const file = (...issues: readonly Fields[]) =>
  bareFile(
    issues
      .map(issue => JSON.stringify({ title: `Title of ${issue.id}`, status: 'open', issue_type: 'task', ...issue }))
      .join('\n'),
    'issues.jsonl',
  )

const link = (type: string, depends_on_id: string, more: Fields = {}) => ({ type, depends_on_id, ...more })

describe('an issue', () => {
  const reading = readingOf(
    file(
      {
        id: 'bd-1',
        description: 'Why.',
        design: 'How.',
        acceptance_criteria: '- works',
        notes: 'Later.',
        status: 'closed',
        priority: 1,
        issue_type: 'bug',
        assignee: 'ada',
        created_by: 'grace',
        created_at: '2026-03-20T14:05:09.123456+02:00',
        updated_at: '2026-03-21T00:00:00Z',
        closed_at: '2026-03-22T00:00:00Z',
        close_reason: 'Fixed',
        due_at: '2026-04-01T00:00:00Z',
        external_ref: 'gh-9',
        labels: ['api', 'bug'],
        estimated_minutes: 30,
        dependency_count: 2,
        dependencies: [
          link('blocks', 'bd-2', {
            issue_id: 'bd-1',
            created_at: '2026-03-20T00:00:00Z',
            created_by: 'ada',
            metadata: '{}',
          }),
          link('discovered-from', 'bd-2'),
        ],
        comments: [{ id: 5, issue_id: 'bd-1', author: 'linus', text: 'Hm.', created_at: '2026-03-20T01:00:00Z' }],
      },
      { id: 'bd-2' },
    ),
  )

  test('becomes a card', () =>
    expect(recordOf('card', 'bd-1', reading)).toEqual({
      type: 'card',
      card_type: 'normal',
      severity: null,
      moved_at: '2026-03-22T00:00:00.000Z',
      id: 'bd-1',
      place: { entry: null, line: 1 },
      spec_id: 'spec:Imported',
      title: 'Title of bd-1',
      status: 'done',
      priority: 'high',
      archived: false,
      description: 'Why.',
      details:
        '## Design\n\nHow.\n\n## Acceptance criteria\n\n- works\n\n## Notes\n\nLater.\n\n' +
        '## Links\n\n- discovered-from: bd-2 Title of bd-2\n- external: gh-9',
      assignee_id: 'ada',
      due_date: '2026-04-01T00:00:00.000Z',
      labels: ['bug', 'api'],
      test_scenario_ids: [],
      conclusions: [expect.objectContaining({ text: 'Fixed', author: 'ada', created_at: '2026-03-22T00:00:00.000Z' })],
      created_by: 'grace',
      created_at: '2026-03-20T12:05:09.123Z',
      updated_at: '2026-03-21T00:00:00.000Z',
    }))

  test('waits for what blocks it', () =>
    expect(ofType('dependency', reading)).toEqual([
      {
        type: 'dependency',
        id: 'bd-1>bd-2',
        card_id: 'bd-1',
        depends_on_id: 'bd-2',
        place: { entry: null, line: 1 },
        created_at: '2026-03-20T00:00:00.000Z',
      },
    ]))

  test('brings its comments', () =>
    expect(ofType('comment', reading)).toMatchObject([
      {
        id: 'bd-1#comment-5',
        card_id: 'bd-1',
        content: 'Hm.',
        created_by: 'linus',
        created_at: '2026-03-20T01:00:00.000Z',
      },
    ]))

  test('keeps fields without a place, but no counts', () =>
    expect(importedFieldsOf('bd-1', reading)).toBe(
      '**estimated_minutes**: 30\n\n**dependencies**: blocks bd-2: created_at 2026-03-20T00:00:00Z, created_by ada',
    ))
})

test.each([
  ['open', 'not_started', []],
  ['in_progress', 'in_progress', []],
  ['hooked', 'in_progress', []],
  ['blocked', 'on_hold', []],
  ['deferred', 'on_hold', []],
  ['closed', 'done', []],
  ['pinned', 'not_started', ['pinned']],
  ['', 'not_started', []],
])('the status "%s" is %s', (status, read, labels) =>
  expect(recordOf('card', 'bd-1', readingOf(file({ id: 'bd-1', status })))).toMatchObject({
    status: read,
    labels: ['task', ...labels],
  }),
)

test.each([
  [0, 'critical'],
  [1, 'high'],
  [2, 'medium'],
  [3, 'low'],
  [4, 'none'],
  [9, 'none'],
])('the priority %i is %s', (priority, read) =>
  expect(recordOf('card', 'bd-1', readingOf(file({ id: 'bd-1', priority }))).priority).toBe(read),
)

describe('epics', () => {
  const reading = readingOf(
    file(
      {
        id: 'e1',
        issue_type: 'epic',
        status: 'closed',
        acceptance_criteria: '- One\n- Two',
        priority: 0,
        dependencies: [link('blocks', 't1')],
      },
      {
        id: 'e2',
        issue_type: 'epic',
        status: 'open',
        dependencies: [link('parent-child', 'e1')],
        comments: [{ text: 'Hm.' }],
      },
      { id: 'e3', issue_type: 'epic', parent: 'e2' },
      { id: 't1', parent: 'e2', dependencies: [link('blocked-by', 'e1')] },
      { id: 't2', dependencies: [link('parent-child', 't1'), link('blocks', 't1')] },
    ),
  )

  test('with children are specs', () => {
    expect(recordOf('spec', 'e1', reading)).toMatchObject({ status: 'done', acceptance_criteria: ['One', 'Two'] })
    expect(recordOf('spec', 'e2', reading)).toMatchObject({ status: 'in_progress', context: 'Part of e1: Title of e1' })
    expect(importedFieldsOf('e1', reading)).toBe('**priority**: 0\n\n**Links**: blocks: t1 Title of t1')
    expect(importedFieldsOf('e2', reading)).toContain('Hm.')
  })

  test('without children are cards with a label', () =>
    expect(recordOf('card', 'e3', reading)).toMatchObject({ spec_id: 'e2', labels: ['epic'] }))

  test('have the cards below them, however deep', () => {
    expect(recordOf('card', 't1', reading)).toMatchObject({ spec_id: 'e2', labels: ['task'] })
    expect(recordOf('card', 't2', reading)).toMatchObject({ spec_id: 'e2', labels: ['task', 'sub:t1'] })
  })

  test('take no part in dependencies', () => {
    expect(linksIn(reading)).toEqual(['t2>t1'])
    expect(recordOf('card', 't1', reading).details).toBe('## Links\n\n- blocked-by: e1 Title of e1')
    expect(problemsOf('note', reading).filter(text => text.includes('"Links"'))).toHaveLength(2)
  })
})

describe('orchestration records', () => {
  const types = ['agent', 'role', 'rig', 'convoy', 'molecule', 'message', 'event', 'gate', 'merge-request']
  const source = file(
    { id: 'bd-0', dependencies: [link('blocks', 'bd-x')] },
    { id: 'bd-x', ephemeral: true },
    { id: 'bd-y', status: 'tombstone' },
    ...types.map(issue_type => ({ id: `bd-${issue_type}`, issue_type })),
  )

  test('are skipped', () => {
    const reading = readingOf(source)
    expect(ofType('card', reading).map(({ id }) => id)).toEqual(['bd-0'])
    expect(reading.problems.filter(({ kind, severity }) => kind === 'card' && severity === 'skipped')).toHaveLength(11)
    expect(problemsOf('skipped', reading)).toContain(':1 bd-0>bd-x A link to bd-x, which is not a card here.')
  })

  test('are read when asked for, but nothing deleted is', () => {
    const reading = readingOf(source, { all: true })
    expect(ofType('card', reading)).toHaveLength(11)
    expect(linksIn(reading)).toEqual(['bd-0>bd-x'])
    expect(importedFieldsOf('bd-x', reading)).toBe('**ephemeral**: true')
  })
})

test('circles lose the link read last; parents in a circle have no spec', () => {
  const reading = readingOf(
    file(
      { id: 'a', parent: 'b', dependencies: [link('blocks', 'b')] },
      { id: 'b', parent: 'a', dependencies: [link('blocks', 'a')] },
    ),
  )
  expect(linksIn(reading)).toEqual(['a>b'])
  expect(problemsOf('skipped', reading)).toEqual([':2 b>a The link closes a cycle with earlier links.'])
  expect(recordOf('card', 'a', reading)).toMatchObject({ spec_id: 'spec:Imported', labels: ['task', 'sub:b'] })
})

test('a file of a folder is read, others are skipped', () => {
  const [entry] = file({ id: 'bd-1' }).entries
  const reading = readingOf(folder({ '.beads/README.md': '# Hi', '.beads/issues.jsonl': entry!.text }, 'repo.zip'))
  expect(reading.board.name).toBe('repo')
  expect(recordOf('card', 'bd-1', reading).place).toEqual({ entry: '.beads/issues.jsonl', line: 1 })
  expect(problemsOf('skipped', reading)).toEqual(['.beads/README.md:  The format has no such file.'])
})

test('an id that comes twice is read once', () => {
  const reading = readingOf(file({ id: 'bd-1' }, { id: 'bd-1', title: 'Other' }))
  expect(ofType('card', reading)).toHaveLength(1)
  expect(problemsOf('skipped', reading)).toEqual([':1 bd-1 The issue is in line 2 again, which counts.'])
})

test.each([
  ['no JSON', '{', /^:3 {2}The line is not JSON/],
  ['no object', '[]', /^:3 {2}The line is not an object/],
  ['no id', '{"title": "A"}', /^:3 {2}The line is not an issue/],
  ['an unknown kind', '{"_type": "colour"}', /^:3 {2}A line of the unknown kind "colour"/],
  ['a title that is none', '{"id": "b", "title": []}', /^:3 {2}The line is not an issue/],
  ['more than 100,000 characters', `{"id": "b", "title": "${'x'.repeat(100_000)}"}`, /^:3 {2}The line is longer/],
])('a line with %s costs that line', (_, line, message) => {
  const good = '{"id": "a", "title": "A", "status": "open"}'
  const reading = readingOf(bareFile(`${good}\n\n${line}\n${good.replaceAll('a"', 'c"')}`))
  expect(ofType('card', reading).map(({ id }) => id)).toEqual(['a', 'c'])
  expect(problemsOf('not_read', reading)).toEqual([expect.stringMatching(message)])
})

test.each([
  ['a link', { dependencies: [null, { depends_on_id: 'b', type: 'blocks' }] }],
  ['a label', { labels: [{}, 'x'] }],
  ['a comment', { comments: ['x', { text: 'Hm.' }] }],
  ['a list', { labels: 'x' }],
])('%s that cannot be read costs no more than itself', (_, fields) => {
  const reading = readingOf(file({ id: 'a', ...fields }, { id: 'b' }))
  expect(ofType('card', reading).map(({ id }) => id)).toEqual(['a', 'b'])
  expect(problemsOf('not_read', reading)).toHaveLength(1)
})
