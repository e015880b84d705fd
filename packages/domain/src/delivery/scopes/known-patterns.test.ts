import { expect, test } from 'vitest'
import { toJson } from '../../lib/json.ts'
import { knownPatterns, patternsOf } from './known-patterns.ts'

const text = (...patterns: string[]) => toJson(patterns)

test('a list is the same as long as its text is', () => {
  const list = patternsOf('a', text('src/**', 'docs'))
  expect(list).toEqual(['src/**', 'docs'])
  expect(patternsOf('a', text('src/**', 'docs'))).toBe(list)
  expect(patternsOf('a', text('src/**'))).toEqual(['src/**'])
  expect(patternsOf('a', text('src/**', 'docs'))).not.toBe(list)
})

test('a list that was parsed elsewhere is the one that was known, if both are equal', () => {
  const list = patternsOf('b', text('src/**', 'docs'))
  expect(knownPatterns('b', ['src/**', 'docs'])).toBe(list)
  const shorter = knownPatterns('b', ['src/**'])
  expect(shorter).toEqual(['src/**'])
  expect(knownPatterns('b', ['src/**'])).toBe(shorter)
  expect(patternsOf('b', text('src/**', 'docs'))).toEqual(['src/**', 'docs'])
})

test('records with equal lists have one each', () => {
  expect(patternsOf('c', text('src'))).not.toBe(patternsOf('d', text('src')))
})
