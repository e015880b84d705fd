import { expect, test } from 'vitest'
import type { CardSummary } from '../../data/cards.ts'
import {
  isFiltered,
  matcherOf,
  readFilters,
  withChoice,
  withInverted,
  withMark,
  withoutFilters,
  withoutOthers,
  withWords,
} from './filters.ts'

const me = 'agent-1'
const now = Date.parse('2026-03-10T12:00:00.000Z')

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
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-02T09:14:27.318Z',
  labels: ['basket'],
  paths: [],
  spec_ref: null,
  blocked_by: 0,
  open_questions: 0,
  comments_count: 0,
  change_state: 'none',
  checks_state: 'none',
  proof: null,
  ...fields,
})

const passes = (query: string, fields: Partial<CardSummary> = {}): boolean =>
  matcherOf(readFilters(new URLSearchParams(query)), me, now)(card(fields))

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
  ['change=1', { change_state: 'draft' }, { change_state: 'merged' }],
  ['failing=1', { checks_state: 'failing' }, { checks_state: 'pending' }],
  ['label=mail&label=basket', {}, { labels: ['web'] }],
  ['label.not=mail&label.not=web', {}, { labels: ['mail', 'basket'] }],
  ['label=basket&label.not=web', {}, { labels: ['basket', 'web'] }],
  ['sprint.not=none', { sprint_id: 's' }, {}],
  ['ready=0', {}, { ready: true }],
  ['due=overdue', { due_date: '2026-03-09T00:00:00.000Z' }, { due_date: '2026-03-11T00:00:00.000Z' }],
  ['due=overdue', { due_date: '2026-03-09T00:00:00.000Z' }, { due_date: '2026-03-09T00:00:00.000Z', status: 'done' }],
  ['due=week', { due_date: '2026-03-12T00:00:00.000Z' }, { due_date: '2026-03-20T00:00:00.000Z' }],
  ['due=none', {}, { due_date: '2026-03-12T00:00:00.000Z' }],
  ['updated=day', { updated_at: '2026-03-10T01:00:00.000Z' }, {}],
  ['due=before-2026-03-12', { due_date: '2026-03-11T00:00:00.000Z' }, { due_date: '2026-03-12T00:00:00.000Z' }],
  ['due=after-2026-03-12', { due_date: '2026-03-13T00:00:00.000Z' }, {}],
  ['due=2026-03-12..2026-03-13', { due_date: '2026-03-13T00:00:00.000Z' }, { due_date: '2026-03-14T00:00:00.000Z' }],
  [
    'due=overdue&due=after-2026-04-01',
    { due_date: '2026-04-02T00:00:00.000Z' },
    { due_date: '2026-03-12T00:00:00.000Z' },
  ],
  ['due.not=before-2026-03-12', {}, { due_date: '2026-03-11T00:00:00.000Z' }],
  ['created=month', {}, { created_at: '2026-01-01T00:00:00.000Z' }],
  ['created=after-2026-02-10', {}, { created_at: '2026-02-09T12:00:00.000Z' }],
  ['updated=2026-03-01..2026-03-03', {}, { updated_at: '2026-03-05T12:00:00.000Z' }],
  ['updated.not=week', {}, { updated_at: '2026-03-09T01:00:00.000Z' }],
])('%s passes %j and not %j', (query, passing, failing) => {
  expect([passes(query, passing), passes(query, failing)]).toEqual([true, false])
})

test('no filter passes every card, and several all have to', () => {
  expect(passes('')).toBe(true)
  expect(passes('q=basket&blocked=1')).toBe(false)
})

test('the address holds what is filtered by, and nothing else is touched', () => {
  const query = new URLSearchParams('lanes=spec')
  const filtered = withMark(withWords(query, 'basket'), 'mine', true)
  expect(String(filtered)).toBe('lanes=spec&q=basket&mine=1')
  expect(String(withWords(filtered, ''))).toBe('lanes=spec&mine=1')
  expect(String(withMark(filtered, 'mine', undefined))).toBe('lanes=spec&q=basket')
  expect(String(withoutFilters(filtered))).toBe('lanes=spec')
  expect(String(withoutOthers(filtered))).toBe('mine=1')
  expect([isFiltered(readFilters(filtered)), isFiltered(readFilters(query))]).toEqual([true, false])
})

test('a choice of several values stands in the address value by value, and can be turned round', () => {
  const choice = { field: 'label', isNot: false, values: ['mail', 'a,b'] } as const
  const chosen = withChoice(new URLSearchParams('label=old&card=WS-1'), choice)
  expect(String(chosen)).toBe('card=WS-1&label=mail&label=a%2Cb')
  const turned = withInverted(chosen, choice)
  expect(readFilters(turned).choices).toEqual([{ ...choice, isNot: true }])
  expect(String(withInverted(turned, { ...choice, isNot: true }))).toBe(String(chosen))
})
