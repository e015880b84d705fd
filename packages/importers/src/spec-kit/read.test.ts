import { describe, expect, test } from 'vitest'
import { folder, linksIn, ofType, problemsOf, readingOf, recordOf } from '../reading.testing.ts'

const specification = `# Feature Specification: Photo albums

**Feature Branch**: \`001-photo-albums\`
**Created**: 2026-03-20
**Status**: Draft

## User Scenarios & Testing *(mandatory)*

### User Story 1 - Make an album (Priority: P1)

People group photos.

**Acceptance Scenarios**:

1. **Given** photos, **When** an album is made, **Then** it is shown
2. **Given** an album,
   **When** a photo is dragged, **Then** it moves
3. **Given** c, **When** d, **Then** e
4. **Given** f, **When** g, **Then** h

### User Story 2 - Sort (Priority: P2)

1. Given dates, when sorted, then the newest is first.

### Edge Cases

- What of an empty album?

## Requirements *(mandatory)*

### Functional Requirements

- **FR-001**: System MUST group photos
- **FR-002**: System MUST keep them:
  in order

### Key Entities

- **Album**: a group

## Success Criteria

- **SC-001**: 90% find a photo in 5 s
`

const tasks = `---
description: "Task list"
---

# Tasks: Photo albums

## Phase 1: Setup

- [x] T001 Create the project in src/
- [ ] T002 [P] Configure linting
- [ ] T003 Add CI

**Checkpoint**: ready

## Phase 2: User Story 1

### Tests

- [ ] T010 [P] [US1] Test the album
  with three photos
- [X] T011 [US1] Build the album

## Phase 3: User Story 2

- [ ] T020 [US2] Sort
`

const source = folder(
  {
    'repo/.specify/memory/constitution.md': '# Our rules\n\nTest first.',
    'repo/.specify/scripts/setup.sh': 'exit',
    'repo/specs/001-photo-albums/spec.md': specification,
    'repo/specs/001-photo-albums/tasks.md': tasks,
    'repo/specs/001-photo-albums/plan.md': '# Plan',
    'repo/specs/001-photo-albums/contracts/api.yaml': 'openapi: 3.1.0',
    'repo/specs/001-photo-albums/contracts/logo.png': null,
    'repo/specs/002-later/plan.md': '# Plan only',
    'repo/src/main.ts': '',
  },
  'repo.zip',
)

describe('a feature', () => {
  const reading = readingOf(source)
  const spec = recordOf('spec', '001-photo-albums', reading)

  test('becomes a spec', () => {
    expect(spec).toMatchObject({
      title: 'Photo albums',
      status: 'in_progress',
      created_at: '2026-03-20T00:00:00.000Z',
      functional_requirements: ['FR-001: System MUST group photos', 'FR-002: System MUST keep them:\nin order'],
      acceptance_criteria: ['SC-001: 90% find a photo in 5 s'],
    })
    expect(spec.description).toBe(
      [
        '**Feature Branch**: `001-photo-albums`\n**Created**: 2026-03-20\n**Status**: Draft',
        '### User Story 1 - Make an album (Priority: P1)\n\nPeople group photos.\n\n**Acceptance Scenarios**:',
        '### Edge Cases\n\n- What of an empty album?',
        '### Key Entities\n\n- **Album**: a group',
      ].join('\n\n'),
    )
    expect(recordOf('spec', '002-later', reading).title).toBe('002-later')
  })

  test('has the scenarios of its stories', () => {
    expect(spec.test_scenarios.map(({ id, title, given, when, then }) => [id, title, given, when, then])).toEqual([
      ['us1-1', 'Make an album, scenario 1', 'photos', 'an album is made', 'it is shown'],
      ['us1-2', 'Make an album, scenario 2', 'an album', 'a photo is dragged', 'it moves'],
      ['us1-3', 'Make an album, scenario 3', 'c', 'd', 'e'],
      ['us1-4', 'Make an album, scenario 4', 'f', 'g', 'h'],
      ['us2-1', 'Sort, scenario 1', 'dates', 'sorted', 'the newest is first.'],
    ])
  })

  test('links scenarios and cards of a story both ways, within the limit', () => {
    expect(spec.test_scenarios.map(({ linked_task_ids }) => linked_task_ids)).toEqual([
      ...Array.from({ length: 3 }, () => ['001-photo-albums/T010', '001-photo-albums/T011']),
      [],
      ['001-photo-albums/T020'],
    ])
    expect(recordOf('card', '001-photo-albums/T010', reading).test_scenario_ids).toEqual(['us1-1', 'us1-2', 'us1-3'])
    expect(recordOf('card', '001-photo-albums/T020', reading).test_scenario_ids).toEqual(['us2-1'])
    expect(problemsOf('note', reading).slice(1)).toEqual([
      'repo/specs/001-photo-albums/spec.md:1 001-photo-albums US1 has 4 scenarios; its cards are linked to the first 3, as many as a board allows.',
    ])
    const wider = recordOf('card', '001-photo-albums/T010', readingOf(source, { max_scenarios_per_card: 4 }))
    expect(wider.test_scenario_ids).toHaveLength(4)
  })

  test('has its tasks as cards', () => {
    expect(
      ofType('card', reading).map(({ id, title, status, labels, details, place }) => [
        id.slice(-4),
        title,
        status,
        labels,
        details,
        place.line,
      ]),
    ).toEqual([
      ['T001', 'Create the project in src/', 'done', ['T001'], 'Phase 1: Setup', 9],
      ['T002', 'Configure linting', 'not_started', ['T002'], 'Phase 1: Setup', 10],
      ['T003', 'Add CI', 'not_started', ['T003'], 'Phase 1: Setup', 11],
      ['T010', 'Test the album', 'not_started', ['T010', 'US1'], 'Phase 2: User Story 1', 19],
      ['T011', 'Build the album', 'done', ['T011', 'US1'], 'Phase 2: User Story 1', 21],
      ['T020', 'Sort', 'not_started', ['T020', 'US2'], 'Phase 3: User Story 2', 25],
    ])
    expect(recordOf('card', '001-photo-albums/T010', reading).description).toBe('with three photos')
  })

  test('has its tasks in the order of the list, which is told', () => {
    expect(linksIn(reading).map(link => link.replaceAll('001-photo-albums/', ''))).toEqual([
      'T002>T001',
      'T003>T002',
      'T010>T003',
      'T011>T010',
      'T020>T011',
    ])
    expect(problemsOf('note', reading)[0]).toContain('5 times it was inferred')
    expect(linksIn(readingOf(source, { inferred_order: false }))).toEqual([])
  })

  test('has its other files as knowledge', () =>
    expect(ofType('knowledge', reading).map(({ id, mime_type }) => [id, mime_type])).toEqual([
      ['001-photo-albums/tasks.md', 'text/markdown'],
      ['001-photo-albums/contracts/api.yaml', 'application/yaml'],
      ['001-photo-albums/plan.md', 'text/markdown'],
      ['002-later/plan.md', 'text/markdown'],
    ]))

  test('keeps what stands beside the tasks', () =>
    expect(recordOf('knowledge', '001-photo-albums/tasks.md', reading).content).toBe(
      '---\ndescription: "Task list"\n---\n\n## Phase 1: Setup\n\n**Checkpoint**: ready',
    ))
})

test('the constitution is a guideline', () =>
  expect(ofType('guideline', readingOf(source))).toMatchObject([
    { title: 'Our rules', content: '# Our rules\n\nTest first.' },
  ]))

test('what belongs to no spec is skipped', () => {
  expect(problemsOf('skipped', readingOf(source))).toEqual([
    'repo/.specify/scripts/setup.sh:  It belongs to no spec of the project.',
    'repo/src/main.ts:  It belongs to no spec of the project.',
  ])
  expect(problemsOf('not_read', readingOf(source))[0]).toContain('logo.png')
})

const tasksIn = (...lines: readonly string[]) =>
  readingOf(
    folder({ 'specs/001-a/spec.md': '# Feature Specification: A', 'specs/001-a/tasks.md': lines.join('\n') }, 'a.zip'),
  )

const short = (reading: ReturnType<typeof tasksIn>) =>
  ofType('card', reading).map(({ title, status, labels }) => [title, status, ...labels])

describe('the forms of a task', () => {
  test('every box is a card, with what is in it', () =>
    expect(
      short(
        tasksIn(
          '## Phase 1',
          '- [ ] T001 Plain',
          '* [X] **T002** Bold',
          '+ [~] [T003] [P] Brackets',
          '1. [-] `T004` [US1] Code',
          '- [x] Without an id',
          '- [] T005 Without a blank',
          '  - [ ] A step of it',
          '```',
          '- [ ] T099 An example',
          '```',
          '- [a](b.md) A link',
        ),
      ),
    ).toEqual([
      ['Plain', 'not_started', 'T001'],
      ['Bold', 'done', 'T002'],
      ['Brackets', 'in_progress', 'T003'],
      ['Code', 'cancelled', 'T004', 'US1'],
      ['Without an id', 'done'],
      ['Without a blank', 'not_started', 'T005'],
      ['A step of it', 'not_started', 'sub:T005'],
    ]))

  test('headings, rows of tables and items that have an id are tasks where no box has it', () => {
    const reading = tasksIn(
      '## Phase 1',
      '### T001: A heading',
      'What to do.',
      '**Status**: Done',
      '',
      '## Phase 2',
      '| ID | Task | Status | Depends on |',
      '|----|------|--------|------------|',
      '| T002 | A row | In Progress | T001 |',
      '| T003 | Another | [x] | |',
      '',
      '- T004 An item',
      '- [ ] T005 A box',
      '',
      '## Notes',
      '- T005 is the last one',
    )
    expect(short(reading)).toEqual([
      ['A heading', 'done', 'T001'],
      ['A row', 'in_progress', 'T002'],
      ['Another', 'done', 'T003'],
      ['An item', 'not_started', 'T004'],
      ['A box', 'not_started', 'T005'],
    ])
    expect(recordOf('card', '001-a/T001', reading).description).toContain('What to do.')
  })

  test('a box without a text is told', () =>
    expect(problemsOf('not_read', tasksIn('- [ ]', '- [ ] T001 A'))).toEqual([
      'specs/001-a/tasks.md:1  A box without a text.',
    ]))

  test('the order of lines changes no id', () => {
    const lines = ['- [ ] T001 A', '- [ ] No id', '- [ ] T002 B', '- [ ] T002 C']
    const ids = (reading: ReturnType<typeof tasksIn>) =>
      new Map(ofType('card', reading).map(({ id, title }) => [id, title]))
    expect(ids(tasksIn(...lines))).toEqual(ids(tasksIn(...lines.toReversed())))
  })
})

describe('the order of tasks', () => {
  const links = (...lines: readonly string[]) => linksIn(tasksIn(...lines)).map(link => link.replaceAll('001-a/', ''))

  test('is what the text says, else that of the list and its phases', () =>
    expect(
      links(
        '## Phase 1: Setup',
        '- [ ] T001 Buy paint',
        '- [ ] T002 [P] Sand the left side',
        '- [ ] T003 [P] Sand the right side',
        '- [ ] T004 Paint both (depends on T002, T003)',
        '## Phase 2: Foundational (blocks all stories)',
        '- [ ] T005 Hang the gate',
        '## Phase 3: User Story 1',
        '- [ ] T006 [US1] Lock the gate',
        '## Phase 4: Polish',
        '- [ ] T007 [P] Take pictures',
      ),
    ).toEqual(['T004>T002', 'T004>T003', 'T002>T001', 'T003>T001', 'T005>T004', 'T006>T005', 'T007>T006']))

  test('says what a section about dependencies says', () =>
    expect(
      links(
        '## Phase 1',
        '- [ ] T001 [P] A',
        '- [ ] T002 [P] B',
        '- [ ] T003 [P] C',
        '## Dependencies',
        '- T003 blocks T001, T002',
      ),
    ).toEqual(['T001>T003', 'T002>T003']))

  test('has steps before the task that they are steps of', () =>
    expect(links('- [ ] T001 A', '- [ ] T002 B', '  - [ ] T003 C', '  - [ ] T004 D', '- [ ] T005 E')).toEqual([
      'T003>T001',
      'T004>T003',
      'T002>T004',
      'T005>T002',
    ]))

  test('tells of tasks that are not there, or are several', () =>
    expect(
      problemsOf(
        'skipped',
        tasksIn('- [ ] T001 A (depends on T009)', '- [ ] T002 B', '- [ ] T002 C', '- [ ] T003 D (after T002)'),
      ),
    ).toEqual([
      'specs/001-a/tasks.md:1 001-a/T001>T009 A link to T009, which is not here.',
      'specs/001-a/tasks.md:4 001-a/T003>T002 A link to T002, which can be the task of line 2 or 3.',
    ]))
})

const specOf = (...lines: readonly string[]) => {
  const reading = readingOf(folder({ 'specs/001-zaun/spec.md': lines.join('\n') }))
  return { ...recordOf('spec', '001-zaun', reading), told: problemsOf('not_read', reading) }
}

describe('a specification', () => {
  test('has its requirements whole, with their ids', () =>
    expect(
      specOf(
        '# Feature Specification: Fence',
        '## Requirements',
        '- **FR-001**: System MUST paint.',
        '- **FR-002** [OUT OF SCOPE]: System SHOULD sing.',
        '- **FR-003** The system MUST have these colours: red, green.',
        '* FR-004: plain (with: brackets)',
        '**FR-005:** in a line of its own',
        '- **FR-006: all in bold**',
        '',
        'FR-001 is only named here.',
        '',
        '### SC-001: A heading',
        '',
        'With a text.',
      ),
    ).toMatchObject({
      functional_requirements: [
        'FR-001: System MUST paint.',
        'FR-002 [OUT OF SCOPE]: System SHOULD sing.',
        'FR-003 The system MUST have these colours: red, green.',
        'FR-004: plain (with: brackets)',
        'FR-005: in a line of its own',
        'FR-006: all in bold',
      ],
      acceptance_criteria: ['SC-001: A heading\n\nWith a text.'],
      description: '## Requirements\n\nFR-001 is only named here.',
    }))

  test.each([
    [
      '# 機能仕様書: 柵',
      '柵',
      '### ユーザーストーリー 1 - 塗装 (優先度: P1)',
      '1. **Given** 柵、**When** 塗る、**Then** 緑になる',
    ],
    [
      '# Feature-Spezifikation: Zaun',
      'Zaun',
      '### Anwendergeschichte 1 – Anstrich (Priorität: P1)',
      '1. **Gegeben** Zaun, **Wenn** gestrichen, **Dann** grün',
    ],
    ['# 功能规格：围栏', '围栏', '### 用户故事 1 - 粉刷（优先级：P1）', '1. **假设** 围栏，**当** 粉刷，**那么** 绿色'],
    ['# Забор', 'Забор', '### История 1: Покраска', '- **Дано** забор, **Когда** красят, **Тогда** зелёный'],
  ])('%s is read by its form', (heading, title, story, scenario) => {
    const spec = specOf(heading, '**X**: 2026-03-20', '## Y', story, scenario)
    expect(spec).toMatchObject({ title, created_at: '2026-03-20T00:00:00.000Z', told: [] })
    expect(spec.test_scenarios).toHaveLength(1)
    expect(spec.test_scenarios[0]).toMatchObject({ id: 'us1-1' })
    expect(spec.test_scenarios[0]!.then).not.toBe('')
  })

  test('without anything of the template is told', () =>
    expect(specOf('# Zaun', '## Worum es geht', 'Um einen Zaun.').told).toEqual([
      'specs/001-zaun/spec.md:2 001-zaun No heading is from the template, and there are no requirements or scenarios in its form. The whole text is the description.',
    ]))

  test('has scenarios outside of stories too', () =>
    expect(
      specOf('# A', '### Acceptance Scenarios', '1. **Given** the time when it rains, **When** b, **Then** c')
        .test_scenarios,
    ).toMatchObject([{ id: 'scenario-1', given: 'the time when it rains', when: 'b', then: 'c' }]))

  test('is not cut at a colon', () => expect(specOf('# Fence: red and green').title).toBe('Fence: red and green'))
})
