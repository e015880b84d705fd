import { describe, expect, test } from 'vitest'
import { folder, importedFieldsOf, linksIn, ofType, problemsOf, readingOf, recordOf } from '../reading.testing.ts'

const file = (front: string, body = ''): string => `---\n${front.trim()}\n---\n${body}`

const task = (id: string, more = '', body = ''): string =>
  file(`id: ${id}\ntitle: The task ${id}\nstatus: To Do\n${more}`, body)

const full = file(
  `
id: BACK-7
title: 'Sign in: again'
status: "In Progress"
assignee:
  - '@ada'
  - grace
reporter: @linus
created_date: '2026-03-20 14:05'
updated_date: 2026-03-21
labels:
  - auth
dependencies:
  - task-08.1
priority: high
milestone: m-2
due_date: 2026-04-01
references:
  - https://example.test/issue/7
modified_files:
  - src/a.ts
ordinal: 3000
type: bug`,
  `Before all sections.

## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
Why.

## A heading of its own
\`\`\`
## no heading
\`\`\`
<!-- SECTION:DESCRIPTION:END -->

## Acceptance Criteria
<!-- AC:BEGIN -->
- [x] #1 It opens
- [ ] #2 It closes
<!-- AC:END -->

## Definition of Done
<!-- DOD:BEGIN -->
- [ ] #1 Tests pass
<!-- DOD:END -->

## Implementation Plan

1. Do it.

## Odd section

Text.

## Comments

<!-- COMMENTS:BEGIN -->
author: @ada
created: 2026-03-20 15:00
---
First.

---
still first
---

created: 2026-03-20 16:00
mood: calm
---
Second.
---
<!-- COMMENTS:END -->

## Final Summary

Done so.
`,
)

/** The line of the full task. */
const lineOf = (text: string): number => full.split('\n').indexOf(text) + 1

const sample = folder(
  {
    'backlog/config.yml': 'project_name: "Shop"\nstatuses: ["To Do", "Done"]\n',
    'backlog/tasks/back-7 - a.md': full,
    'backlog/completed/back-8.1 - b.md': task('BACK-8.1'),
    'backlog/milestones/m-2 - c.md': file('id: m-2\ntitle: "Second"', '## Description\n\nGoals.'),
  },
  'repo.zip',
)

describe('a task', () => {
  const reading = readingOf(sample)
  const card = recordOf('card', 'BACK-7', reading)

  test('becomes a card', () => {
    expect(card).toEqual({
      type: 'card',
      id: 'BACK-7',
      place: { entry: 'backlog/tasks/back-7 - a.md', line: 1 },
      spec_id: 'milestone:m-2',
      card_type: 'normal',
      severity: null,
      moved_at: null,
      title: 'Sign in: again',
      status: 'in_progress',
      priority: 'high',
      archived: false,
      description: 'Before all sections.\n\nWhy.\n\n## A heading of its own\n```\n## no heading\n```',
      details: [
        '## Acceptance Criteria\n\n- [x] #1 It opens\n- [ ] #2 It closes',
        '## Definition of Done\n\n- [ ] #1 Tests pass',
        '## Implementation Plan\n\n1. Do it.',
        '## Odd section\n\nText.',
      ].join('\n\n'),
      assignee_id: 'ada',
      due_date: '2026-04-01T00:00:00.000Z',
      labels: ['auth', 'milestone:m-2', 'also:@grace'],
      test_scenario_ids: [],
      conclusions: [
        {
          text: 'Done so.',
          author: null,
          created_at: '2026-03-21T00:00:00.000Z',
          source: 'move_to_done',
          completeness: null,
          completeness_justification: '',
          drift: null,
          drift_justification: '',
        },
      ],
      created_by: 'linus',
      created_at: '2026-03-20T14:05:00.000Z',
      updated_at: '2026-03-21T00:00:00.000Z',
    })
  })

  test('brings its comments', () =>
    expect(
      ofType('comment', reading).map(({ card_id, content, created_by, created_at, place }) => [
        card_id,
        content,
        created_by,
        created_at,
        place.line,
      ]),
    ).toEqual([
      ['BACK-7', 'First.\n\n---\nstill first', 'ada', '2026-03-20T15:00:00.000Z', lineOf('author: @ada')],
      ['BACK-7', 'Second.', 'backlog-md', '2026-03-20T16:00:00.000Z', lineOf('created: 2026-03-20 16:00')],
    ]))

  test('brings its sources', () =>
    expect(recordOf('knowledge', 'BACK-7#sources', reading)).toMatchObject({
      title: 'Sources',
      owner_type: 'card',
      owner_id: 'BACK-7',
      content: '## References\n\n- https://example.test/issue/7\n\n## Modified files\n\n- src/a.ts',
    }))

  test('keeps fields without a place', () => {
    expect(importedFieldsOf('BACK-7', reading)).toBe(
      '**ordinal**: 3000\n\n**type**: bug\n\n**mood of comment 2**: calm',
    )
    expect(problemsOf('note', reading)).toContain(
      'backlog/tasks/back-7 - a.md:1 BACK-7 Kept in "Imported fields": ordinal, type, mood of comment 2.',
    )
  })

  test('waits for tasks that are spelt otherwise', () => expect(linksIn(reading)).toEqual(['BACK-7>BACK-8.1']))

  test('adds to the guideline', () =>
    expect(ofType('guideline', reading)).toMatchObject([{ title: 'Definition of done', content: '- Tests pass' }]))

  test('is a card of its milestone, or of the backlog', () => {
    expect(recordOf('spec', 'milestone:m-2', reading)).toMatchObject({ title: 'Second', description: 'Goals.' })
    expect(recordOf('card', 'BACK-8.1', reading).spec_id).toBe('spec:Backlog')
    expect(recordOf('spec', 'spec:Backlog', reading)).toMatchObject({ title: 'Backlog', status: 'in_progress' })
  })

  test('is done in the folder of completed ones, whatever it says', () => {
    expect(recordOf('card', 'BACK-8.1', reading).status).toBe('done')
    expect(reading.inferred).toEqual([{ what: 'the status done from its checked box or folder', count: 1 }])
  })
})

test('the project is the board, its settings are kept', () => {
  const reading = readingOf(sample)
  expect(reading.board).toEqual({ name: 'Shop' })
  expect(importedFieldsOf('spec:Imported', reading)).toBe('## statuses of config.yml\n\n- To Do\n- Done')
  expect(readingOf(sample, { name: 'Mine' }).board).toEqual({ name: 'Mine' })
})

describe('a task that others name as their parent', () => {
  const reading = readingOf(
    folder({
      'tasks/1.md': task(
        'task-1',
        "priority: low\nassignee: '@ada'\ndependencies: [task-1.1]",
        '## Description\nOuter.\n## Acceptance Criteria\n- [ ] #1 First\n- [ ] Second\n## Final Summary\nAll of it.',
      ),
      'tasks/1.1.md': task('task-1.1', 'parent_task_id: TASK-1', '## Acceptance Criteria\n- [x] Checked\n\nProse.'),
      'tasks/1.1.1.md': task('task-1.1.1', "parent_task_id: '01.1'\ndependencies: task-1, task-9"),
      'tasks/2.md': task('task-2', 'parent_task_id: task-404'),
    }),
  )

  test('becomes a spec, also within another', () => {
    expect(recordOf('spec', 'task-1', reading)).toMatchObject({
      title: 'The task task-1',
      status: 'draft',
      description: 'Outer.',
      context: null,
      assignee_id: 'ada',
      acceptance_criteria: ['First', 'Second'],
    })
    expect(recordOf('spec', 'task-1.1', reading).context).toBe('Part of task-1: The task task-1')
    expect(recordOf('card', 'task-1.1.1', reading).spec_id).toBe('task-1.1')
  })

  test('keeps what a spec has no field for', () => {
    expect(importedFieldsOf('task-1', reading)).toBe('**priority**: low\n\n**Final Summary**: All of it.')
    expect(importedFieldsOf('task-1.1', reading)).toBe('## Acceptance Criteria\n\n- [x] Checked\n\nProse.')
  })

  test('takes no part in dependencies', () => {
    expect(linksIn(reading)).toEqual([])
    expect(problemsOf('note', reading).filter(text => text.includes('depends on'))).toEqual([
      'tasks/1.1.1.md:6 task-1.1.1 It depends on task-1. task-1 has subtasks and is a spec, and only cards depend on one another.',
      'tasks/1.md:7 task-1 It depends on task-1.1. task-1 has subtasks and is a spec, and only cards depend on one another.',
    ])
    expect(problemsOf('skipped', reading)).toEqual([
      'tasks/1.1.1.md:6 task-1.1.1>task-9 A link to task-9, which is not a card here.',
    ])
  })

  test('is told of where it is missing', () => {
    expect(recordOf('card', 'task-2', reading).spec_id).toBe('spec:Backlog')
    expect(problemsOf('note', reading)).toContain('tasks/2.md:5 task-2 Its parent task-404 is not in the folder.')
  })
})

describe('archived tasks and drafts', () => {
  const reading = readingOf(
    folder({
      'tasks/1.md': task('task-1'),
      'tasks/1.2.md': task('task-1.2', 'parent_task_id: task-1'),
      'archive/tasks/1.1.md': task('task-1.1', 'parent_task_id: task-1'),
      'archive/tasks/2.md': task('task-2'),
      'archive/tasks/2.1.md': task('task-2.1', 'parent_task_id: task-2'),
      'archive/drafts/3.md': task('draft-3'),
      'drafts/1.md': file('id: draft-1\ntitle: An idea\nstatus: Draft\nlabels: a, b'),
    }),
  )

  test('archived ones are archived with their spec', () => {
    expect(recordOf('spec', 'spec:Backlog (archived)', reading).archived).toBe(true)
    expect(recordOf('card', 'task-1.1', reading)).toMatchObject({ archived: true, spec_id: 'spec:Backlog (archived)' })
    expect(recordOf('spec', 'task-2', reading).archived).toBe(true)
    expect(recordOf('card', 'task-2.1', reading)).toMatchObject({ archived: true, spec_id: 'task-2' })
    expect(recordOf('card', 'task-1.2', reading)).toMatchObject({ archived: false, spec_id: 'task-1' })
  })

  test('drafts have a label, and ids of their own', () => {
    expect(recordOf('card', 'draft-1', reading)).toMatchObject({ labels: ['a', 'b', 'draft'], status: 'not_started' })
    expect(recordOf('card', 'draft-3', reading)).toMatchObject({ labels: ['draft'], archived: true })
    expect(problemsOf('note', reading).filter(text => text.includes('status'))).toEqual([])
  })
})

test('decisions and documents are those of one spec', () => {
  const reading = readingOf(
    folder({
      'tasks/1.md': task('task-1'),
      'decisions/1.md': file(
        'id: decision-1\ntitle: Use SQLite\ndate: 2026-03-20\nstatus: rejected',
        '## Context\nA file.\n## Decision\nYes.\n## Consequences\nFew.',
      ),
      'decisions/readme.md': '# What these are',
      'docs/guides/doc-1 - a.md': file('id: doc-1\ntitle: The guide\ntype: guide\ncreated_date: 2026-03-01', '# Hello'),
      'docs/plain.txt': 'Words.',
      'docs/picture.png': null,
    }),
  )
  expect(recordOf('spec', 'spec:Project decisions', reading).decisions).toEqual([
    {
      id: 'decision-1',
      title: 'Use SQLite',
      rationale: 'Yes.',
      context: 'A file.',
      alternatives_considered: null,
      supersedes_decision_id: null,
      linked_requirements: null,
      linked_task_ids: null,
      status: 'revoked',
      notes: 'status: rejected\ndate: 2026-03-20\n\n## Consequences\n\nFew.',
    },
  ])
  expect(
    ofType('knowledge', reading).map(({ id, title, content, mime_type }) => [id, title, content, mime_type]),
  ).toEqual([
    ['doc-1', 'The guide', 'type: "guide"\n\n# Hello', 'text/markdown'],
    ['docs/plain.txt', 'plain', 'Words.', 'text/plain'],
  ])
  expect(problemsOf('skipped', reading)).toEqual(['decisions/readme.md:  It has no head (---) with an id.'])
})

test('unknown words are told of', () => {
  const reading = readingOf(
    folder({ 'tasks/1.md': file('id: task-1\ntitle: A\nstatus: Odd\npriority: odder\nmilestone: m-9') }),
  )
  expect(recordOf('card', 'task-1', reading)).toMatchObject({ status: 'not_started', priority: 'none' })
  expect(problemsOf('note', reading)).toEqual([
    'tasks/1.md:6 milestone:m-9 The milestone m-9 has no file.',
    'tasks/1.md:4  The status "Odd" (1 times) is not known and read as not_started. A mapping can change it: status.Odd=…',
    'tasks/1.md:5  The priority "odder" (1 times) is not known and read as none. A mapping can change it: priority.odder=…',
  ])
})

test.each([
  ['tasks/1.md', task('task-1'), 0],
  ['tasks/1.md', task('task-1', "created_date: '2026-03-20T14:05Z'\nupdated_date: '2026-03-20 16:00+02:00'"), 0],
  ['tasks/1.md', task('task-1', 'created_date: 2026-03-20'), 1],
  ['tasks/1.md', task('task-1', 'due_date: 2026-03-20'), 1],
  ['tasks/1.md', task('task-1', '', '## Comments\n\ncreated: 2026-03-20 15:00\n---\nFirst.\n---\n'), 1],
  ['milestones/m-1.md', file('id: m-1\ntitle: First\ncreated_date: 2026-03-20'), 1],
  ['docs/a.md', file('id: doc-1\ntitle: A\ncreated_date: 2026-03-20', 'Words.'), 1],
])('times without a zone are told of once, where there are any: %s %j', (path, text, notes) => {
  const reading = readingOf(folder({ 'tasks/0.md': task('task-0'), [path]: text }))
  expect(problemsOf('note', reading).filter(note => note.includes('UTC'))).toHaveLength(notes)
})

test('an id that two files have is made two', () => {
  const reading = readingOf(folder({ 'tasks/a.md': task('task-1'), 'completed/b.md': task('task-1') }))
  const titles = ofType('card', reading).map(({ id }) => id.startsWith('task-1~'))
  expect(titles).toEqual([true, true])
  expect(problemsOf('changed', reading)).toHaveLength(2)
})

test('files beside the folder are skipped, one common folder is cut', () => {
  const reading = readingOf(
    folder(
      { 'repo/README.md': '# Hi', 'repo/backlog/tasks/1.md': task('task-1'), 'repo/backlog/odd.bin': null },
      'x.zip',
    ),
  )
  expect(ofType('card', reading)).toHaveLength(1)
  expect(reading.board.name).toBe('repo')
  expect(problemsOf('skipped', reading)).toEqual([
    'repo/backlog/odd.bin:  A Backlog.md folder has no such file.',
    'repo/README.md:  The format has no such file.',
  ])
})

test.each([
  ['aliases', 'id: &a task-1\ntitle: *a', 3],
  ['no YAML', 'id: task-1\ntitle: a: b', 3],
])('%s cost the file alone, and are told with their line', (_, front, line) => {
  const reading = readingOf(folder({ 'tasks/1.md': file(front), 'tasks/2.md': task('task-2') }))
  expect(ofType('card', reading).map(({ id }) => id)).toEqual(['task-2'])
  expect(problemsOf('not_read', reading)).toEqual([expect.stringContaining(`tasks/1.md:${line} `)])
})
