import { describe, expect, test } from 'vitest'
import { folder, linksIn, ofType, problemsOf, readingOf, recordOf } from '../reading.testing.ts'

const auth = `# Gate Specification

## Purpose
Who may pass the gate.

## Requirements

### Requirement: Key at the gate
The gate SHALL open for a key: of brass, or of steel.

#### Scenario: Right key
- **GIVEN** a closed gate
- **WHEN** the right key is turned
- **THEN** it opens
- **AND** a bell rings

#### Scenario: Wrong key
- WHEN a wrong key is turned
- THEN it stays closed
`

const proposal = `# Change: Add a lock

## Why
Sheep pass the gate.

## What Changes
- A lock

## Impact
- Affected specs: gate
`

const delta = `## ADDED Requirements

### Requirement: Lock
The gate MUST have a lock.

#### Scenario: Locked
- **WHEN** the lock is closed
- **THEN** no key opens

## MODIFIED Requirements

### Requirement: Key at the gate
The gate SHALL open for a key of steel.

## REMOVED Requirements

### Requirement: Bell
**Reason**: too loud

## RENAMED Requirements
- FROM: \`### Requirement: Fence\`
- TO: \`### Requirement: Hedge\`
`

const tasks = `# Tasks

## 1. Lock
- [x] 1.1 Buy a lock
- [ ] 1.2 Screw it on (depends on 1.1)

## 2. Key
- [ ] 2.1 Cut a key
`

const files = {
  'repo/openspec/project.md': '# Farm\n\nKeep it simple.',
  'repo/openspec/AGENTS.md': '# Instructions',
  'repo/openspec/specs/gate/spec.md': auth,
  'repo/openspec/changes/add-lock/proposal.md': proposal,
  'repo/openspec/changes/add-lock/tasks.md': tasks,
  'repo/openspec/changes/add-lock/design.md': '# Design\n\nBrass.',
  'repo/openspec/changes/add-lock/.openspec.yaml': 'schema: spec-driven\ncreated: 2026-03-20\n',
  'repo/openspec/changes/add-lock/specs/gate/spec.md': delta,
  'repo/openspec/changes/archive/2026-01-15-add-gate/proposal.md': '# Add gate\n\n## Why\nThere is none.',
  'repo/openspec/changes/archive/2026-01-15-add-gate/tasks.md': '- [x] 1.1 Build\n- [ ] 1.2 Paint',
  'repo/src/main.ts': '',
}

describe('an OpenSpec project', () => {
  const reading = readingOf(folder(files, 'repo.zip'))

  test('is told from its folder', () => expect(reading).toMatchObject({ format: 'openspec', board: { name: 'repo' } }))

  test('has a spec for each capability, with requirements and scenarios', () => {
    const spec = recordOf('spec', 'specs/gate', reading)
    expect(spec).toMatchObject({
      title: 'Gate Specification',
      status: 'done',
      description: '## Purpose\n\nWho may pass the gate.',
      functional_requirements: ['Key at the gate\n\nThe gate SHALL open for a key: of brass, or of steel.'],
    })
    expect(spec.test_scenarios).toMatchObject([
      {
        id: 'key-at-the-gate-right-key',
        title: 'Right key',
        given: 'a closed gate',
        when: 'the right key is turned',
        then: 'it opens\nAND a bell rings',
        notes: 'Requirement: Key at the gate',
      },
      { title: 'Wrong key', given: '', when: 'a wrong key is turned', then: 'it stays closed' },
    ])
  })

  test('has an ideation for each change, and the spec that comes of it', () => {
    expect(recordOf('ideation', 'changes/add-lock', reading)).toMatchObject({
      title: 'Add a lock',
      status: 'approved',
      archived: false,
      problem_statement: 'Sheep pass the gate.',
      proposed_approach: '- A lock',
      description: '## Impact\n\n- Affected specs: gate',
      created_at: '2026-03-20T00:00:00.000Z',
    })
    const spec = recordOf('spec', 'changes/add-lock/spec', reading)
    expect(spec).toMatchObject({
      ideation_id: 'changes/add-lock',
      title: 'Add a lock',
      status: 'in_progress',
      functional_requirements: [
        'ADDED in gate: Lock\n\nThe gate MUST have a lock.',
        'MODIFIED in gate: Key at the gate\n\nThe gate SHALL open for a key of steel.',
        'REMOVED in gate: Bell\n\n**Reason**: too loud',
        'RENAMED in gate: Fence → Hedge',
      ],
    })
    expect(spec.test_scenarios.map(({ title }) => title)).toEqual(['Locked'])
  })

  test('has a card for each task', () => {
    expect(
      ofType('card', reading).map(({ id, title, status, labels, details, archived }) => [
        id,
        title,
        status,
        labels,
        details,
        archived,
      ]),
    ).toEqual([
      ['changes/add-lock/spec/1.1', 'Buy a lock', 'done', ['1.1'], '1. Lock', false],
      ['changes/add-lock/spec/1.2', 'Screw it on (depends on 1.1)', 'not_started', ['1.2'], '1. Lock', false],
      ['changes/add-lock/spec/2.1', 'Cut a key', 'not_started', ['2.1'], '2. Key', false],
      ['changes/add-gate/spec/1.1', 'Build', 'done', ['1.1'], null, true],
      ['changes/add-gate/spec/1.2', 'Paint', 'not_started', ['1.2'], null, true],
    ])
    expect(linksIn(reading)).toEqual(['changes/add-lock/spec/1.2>changes/add-lock/spec/1.1'])
  })

  test('has what is archived as archived, under the name that it had before', () =>
    expect(recordOf('ideation', 'changes/add-gate', reading)).toMatchObject({ status: 'done', archived: true }))

  test('keeps designs as knowledge, the project as a guideline', () => {
    expect(ofType('knowledge', reading).map(({ title, owner_id }) => [title, owner_id])).toContainEqual([
      'design.md',
      'changes/add-lock/spec',
    ])
    expect(ofType('guideline', reading)).toMatchObject([{ title: 'Farm' }])
  })

  test('tells of every file', () =>
    expect(problemsOf('skipped', reading)).toEqual([
      'repo/openspec/AGENTS.md:  The format has no such file.',
      'repo/src/main.ts:  The format has no such file.',
    ]))
})

test('a change that moves into the archive stays what it was', () => {
  const moved = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name.replace('/changes/add-lock/', '/changes/archive/2026-04-01-add-lock/'),
      text,
    ]),
  )
  const ids = (reading: ReturnType<typeof readingOf>) =>
    ofType('card', reading)
      .map(({ id, title }) => `${id} ${title}`)
      .toSorted()
  expect(ids(readingOf(folder(moved)))).toEqual(ids(readingOf(folder(files))))
})

test('a new change takes no id of an archived one', () => {
  const again = { ...files, 'repo/openspec/changes/add-gate/proposal.md': '# Another gate' }
  const reading = readingOf(folder(again))
  expect(recordOf('ideation', 'changes/add-gate', reading).title).toBe('Add gate')
  expect(recordOf('ideation', 'changes/add-gate~2', reading).title).toBe('Another gate')
})

test.each([
  ['the content of the folder', { 'specs/gate/spec.md': auth, 'changes/add-lock/proposal.md': proposal }],
  ['proposed and approved changes', { 'openspec/changes/proposed/add-lock/proposal.md': proposal }],
  ['specs below folders', { 'openspec/specs/farm/gate/spec.md': auth }],
])('%s is read', (_, some) => expect(readingOf(folder(some))).toMatchObject({ format: 'openspec' }))

test('a spec without requirements is told', () =>
  expect(problemsOf('not_read', readingOf(folder({ 'openspec/specs/gate/spec.md': '# Gate\n\nOpen.' })))).toHaveLength(
    1,
  ))

test('a scenario below another heading is not one of the requirement before it', () => {
  const lines = [
    '# Gate',
    '### Requirement: Open',
    'SHALL open.',
    '### Notes',
    'Rain.',
    '#### Scenario: Rain',
    '- **WHEN** it rains',
  ]
  const reading = readingOf(folder({ 'openspec/specs/gate/spec.md': lines.join('\n') }))
  expect(recordOf('spec', 'specs/gate', reading)).toMatchObject({
    functional_requirements: ['Open\n\nSHALL open.'],
    test_scenarios: [],
    description: expect.stringContaining('it rains'),
  })
  expect(problemsOf('not_read', reading)).toEqual([
    'openspec/specs/gate/spec.md:6  A scenario outside a requirement; its text is in the description of its spec.',
  ])
})

test('a scenario below no requirement, and an empty file, are told', () => {
  const reading = readingOf(
    folder({
      'openspec/specs/gate/spec.md': '# Gate\n\n#### Scenario: Rain\n- **WHEN** it rains',
      'openspec/changes/add-lock/proposal.md': '# Add a lock',
      'openspec/changes/add-lock/design.md': ' \n',
    }),
  )
  expect(problemsOf('not_read', reading)[0]).toMatch(
    /^openspec\/specs\/gate\/spec\.md:3 {2}A scenario outside a requirement/,
  )
  expect(problemsOf('skipped', reading)).toEqual(['openspec/changes/add-lock/design.md:  It is empty.'])
})
