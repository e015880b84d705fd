import { expect, test } from 'vitest'
import { taskText } from './task-text.ts'

test.each([
  ['T001 Plain', 'T001', [], 'Plain'],
  ['**T002** Bold id', 'T002', [], 'Bold id'],
  ['[T003] [P] Id in brackets', 'T003', ['P'], 'Id in brackets'],
  ['`T004` [US1] Id in code', 'T004', ['US1'], 'Id in code'],
  ['**[T005]** [P] [US2] Both', 'T005', ['P', 'US2'], 'Both'],
  ['[P] T006 Mark before the id', 'T006', ['P'], 'Mark before the id'],
  ['[US3] [P] **T007**: Marks before', 'T007', ['P', 'US3'], 'Marks before'],
  ['T008: Colon: and more', 'T008', [], 'Colon: and more'],
  ['T009 - Dash', 'T009', [], 'Dash'],
  ['**T010 All in bold**', 'T010', [], 'All in bold'],
  ['1. T011 With a number', 'T011', [], 'With a number'],
  ['1.2 Numbered', '1.2', [], 'Numbered'],
  ['T-012 Dash in the id', 'T-012', [], 'Dash in the id'],
  ['t013a lower case', 'T013A', [], 'lower case'],
  ['**API-2** another prefix', 'API-2', [], 'another prefix'],
  ['No id: [at] all (really)', null, [], 'No id: [at] all (really)'],
  ['SHA-256 of the file', null, [], 'SHA-256 of the file'],
  ['Paint it', null, [], 'Paint it'],
  ['T1000000000 is no id', null, [], 'T1000000000 is no id'],
  ['[link](a.md) to read', null, [], '[link](a.md) to read'],
] as const)('%s', (text, id, marks, title) =>
  expect(taskText(text)).toEqual({
    id,
    parallel: (marks as readonly string[]).includes('P'),
    story: marks.find(mark => mark !== 'P') ?? null,
    title,
  }),
)
