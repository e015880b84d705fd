import { expect, test } from 'vitest'
import { orderInLine, statedOrder } from './stated-order.ts'

test.each([
  ['Paint both (depends on T002, T003)', ['T002', 'T003'], []],
  ['Paint [depends on: T002 and T003]', ['T002', 'T003'], []],
  ['Paint, after T002', ['T002'], []],
  ['Paint (depends on T002-T004)', ['T002', 'T003', 'T004'], []],
  ['Paint (depends on T009–T011, T015)', ['T009', 'T010', 'T011', 'T015'], []],
  ['Paint\n**Dependencies**: T001', ['T001'], []],
  ['Paint\nDependencies: none', [], []],
  ['Paint (no dependencies)', [], []],
  ['Paint (requires US1)', ['US1'], []],
  ['Paint (after Phase 2)', ['PHASE 2'], []],
  ['Paint (after User Story 3)', ['US3'], []],
  ['Paint (blocks T009)', null, ['T009']],
  ['Paint what needs paint', null, []],
  ['Paint after lunch', null, []],
  ['Store the time after which 3rd parties forget', null, []],
  ['Depends on 1.2', ['1.2'], []],
])('%s', (text, waitsFor, blocks) => expect(statedOrder(text)).toEqual({ waitsFor, blocks }))

test.each([
  ['- T008 blocks T009, T015', ['T008'], ['T009', 'T015']],
  ['- Tests (T004-T005) before implementation (T008)', ['T004', 'T005'], ['T008']],
  ['- T004-T005 before T008', ['T004', 'T005'], ['T008']],
  ['- T005 → T006', ['T005'], ['T006']],
  ['- T009 depends on T008', ['T008'], ['T009']],
  ['- Foundational: depends on Setup', [], []],
])('%s', (line, first, then) => expect(orderInLine(line)).toEqual({ first, then }))
