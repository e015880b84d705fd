import { expect, test } from 'vitest'
import { isInSpan, spanOf, valueOfSpan } from './day-span.ts'

test.each(['before-2026-03-12', 'after-2026-03-12', '2026-03-12..2026-03-14'])('%s stands for itself', value => {
  expect(valueOfSpan(spanOf(value)!)).toBe(value)
})

test.each(['', 'overdue', 'week', 'none', 'before-', 'before-today', '2026-03-12..', '2026-03-12'])(
  '"%s" is no span of days',
  value => {
    expect(spanOf(value)).toBeUndefined()
  },
)

test('days that are not chosen, and a span that ends before it begins, have no value', () => {
  expect(valueOfSpan({ kind: 'before', from: '2026-03-12', to: '' })).toBeUndefined()
  expect(valueOfSpan({ kind: 'after', from: '', to: '2026-03-12' })).toBeUndefined()
  expect(valueOfSpan({ kind: 'between', from: '2026-03-12', to: '' })).toBeUndefined()
  expect(valueOfSpan({ kind: 'between', from: '2026-03-12', to: '2026-03-11' })).toBeUndefined()
  expect(valueOfSpan({ kind: 'between', from: '2026-03-12', to: '2026-03-12' })).toBe('2026-03-12..2026-03-12')
})

test('before and after are without their day, between is with both', () => {
  const days = ['2026-03-11', '2026-03-12', '2026-03-13', '2026-03-14']
  const inSpan = (value: string) => days.filter(day => isInSpan(spanOf(value)!, day))
  expect(inSpan('before-2026-03-12')).toEqual(['2026-03-11'])
  expect(inSpan('after-2026-03-12')).toEqual(['2026-03-13', '2026-03-14'])
  expect(inSpan('2026-03-12..2026-03-13')).toEqual(['2026-03-12', '2026-03-13'])
})
