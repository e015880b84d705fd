import { expect, test } from 'vitest'
import type { CardSummary } from '../../data/cards.ts'
import { isFiltered, matcherOf, readFilters, withFilter, withoutFilters } from './filters.ts'

const me = 'agent-1'

const card = (fields: Partial<CardSummary> = {}): CardSummary => ({
  id: 'id',
  ref: 'WS-14',
  title: 'Keep the basket',
  status: 'not_started',
  priority: 'high',
  card_type: 'normal',
  due_date: null,
  position: 0,
  assignee_id: null,
  spec_id: null,
  sprint_id: null,
  claim: null,
  assignee_name: null,
  moved_at: '2026-01-01T00:00:00.000Z',
  ready: false,
  scenarios: { total: 0, passed: 0, failed: 0 },
  severity: null,
  updated_at: '2026-03-02T09:14:27.318Z',
  labels: ['basket'],
  paths: [],
  spec_ref: null,
  blocked_by: 0,
  open_questions: 0,
  comments_count: 0,
  change_state: 'none',
  checks_state: 'none',
  ...fields,
})

const passes = (query: string, fields: Partial<CardSummary> = {}): boolean =>
  matcherOf(readFilters(new URLSearchParams(query)), me)(card(fields))

test.each<[string, Partial<CardSummary>, Partial<CardSummary>]>([
  ['q=basket+KEEP', {}, { title: 'Log in' }],
  ['q=ws-14', {}, { ref: 'WS-15' }],
  ['spec=WS-2', { spec_ref: 'WS-2' }, { spec_ref: 'WS-3' }],
  ['spec=none', {}, { spec_ref: 'WS-3' }],
  ['sprint=s', { sprint_id: 's' }, {}],
  ['assignee=none', {}, { assignee_id: me }],
  ['assignee=agent-1', { assignee_id: me }, {}],
  ['label=basket', {}, { labels: [] }],
  ['type=bug', { card_type: 'bug' }, {}],
  ['priority=high', {}, { priority: 'low' }],
  ['ready=1', { ready: true }, {}],
  ['blocked=1', { blocked_by: 2 }, {}],
  ['mine=1', { assignee_id: me }, { assignee_id: 'other' }],
  ['questions=1', { open_questions: 1 }, {}],
])('%s passes %j and not %j', (query, passing, failing) => {
  expect([passes(query, passing), passes(query, failing)]).toEqual([true, false])
})

test('no filter passes every card, and several all have to', () => {
  expect(passes('')).toBe(true)
  expect(passes('q=basket&blocked=1')).toBe(false)
})

test('the address holds what is filtered by, and nothing else is touched', () => {
  const query = new URLSearchParams('lanes=spec')
  const filtered = withFilter(withFilter(query, 'q', 'basket'), 'mine', true)
  expect(String(filtered)).toBe('lanes=spec&q=basket&mine=1')
  expect(String(withFilter(filtered, 'q', ''))).toBe('lanes=spec&mine=1')
  expect(String(withoutFilters(filtered))).toBe('lanes=spec')
  expect([isFiltered(readFilters(filtered)), isFiltered(readFilters(query))]).toEqual([true, false])
})
