import { describe, expect, test } from 'vitest'
import { folder, linksIn, ofType, readingOf, recordOf, told } from '../reading.testing.ts'

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
      functional_requirements: ['System MUST group photos', 'System MUST keep them:\nin order'],
      acceptance_criteria: ['90% find a photo in 5 s'],
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
    expect(told('note', reading)).toEqual([
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

  test('makes a task without [P] wait for the one before it in its phase', () =>
    expect(linksIn(reading)).toEqual([
      '001-photo-albums/T003>001-photo-albums/T002',
      '001-photo-albums/T011>001-photo-albums/T010',
    ]))

  test('has its other files as knowledge', () =>
    expect(ofType('knowledge', reading).map(({ id, mime_type }) => [id, mime_type])).toEqual([
      ['001-photo-albums/tasks.md', 'text/markdown'],
      ['001-photo-albums/plan.md', 'text/markdown'],
      ['001-photo-albums/contracts/api.yaml', 'application/yaml'],
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

test('what belongs to no spec is skipped', () =>
  expect(told('skipped', readingOf(source))).toEqual([
    'repo/.specify/scripts/setup.sh:  It belongs to no spec of the project.',
    'repo/src/main.ts:  It belongs to no spec of the project.',
    'repo/specs/001-photo-albums/contracts/logo.png:  It is not text.',
  ]))
