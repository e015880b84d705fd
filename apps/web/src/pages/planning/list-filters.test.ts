import { expect, test } from 'vitest'
import { knownLabels } from '../../data/labels.ts'
import { matches, readPlanFilters } from './list-filters.ts'

const record = { ref: 'WS-7', title: 'Log in by key', status: 'draft', labels: ['web', 'auth'], parent: null }
const filters = (query: string) => readPlanFilters(new URLSearchParams(query))

test.each([
  ['', true],
  ['q=key+log', true],
  ['q=ws-7', true],
  ['q=AUTH', true],
  ['q=key+cookie', false],
  ['status=draft', true],
  ['status=done', false],
  ['label=web', true],
  ['label=cli', false],
  ['q=log&status=draft&label=auth', true],
])('%j matches: %s', (query, expected) => {
  expect(matches(record, filters(query))).toBe(expected)
})

test('the words of a parent find its children', () => {
  const parent = { entity_type: 'ideation', id: '1', ref: 'WS-1', title: 'Access' } as const
  expect(matches({ ...record, parent }, filters('q=access'))).toBe(true)
})

test('each label is named once, in order', () => {
  expect(knownLabels([{ labels: ['b', 'a'] }, { labels: ['a'] }])).toEqual(['a', 'b'])
})
