import { InboxKind } from '@specboard/contract'
import { expect, test } from 'vitest'
import { oneLine } from '../lib/one-line.ts'
import { countsLine, headlineOf, lineOf, type MessageItem } from './words.ts'

const question: MessageItem = {
  kind: 'question',
  record: 'r',
  ref: 'SPE-14',
  title: 'Keep the basket',
  actor: 'Executor 1',
}

test('an item is told by its reference, who it is from, and the title of its record', () => {
  expect(lineOf(question, 'title')).toBe('[SPE-14] Question from Executor 1: "Keep the basket"')
  expect(lineOf(question, 'ref')).toBe('[SPE-14] Question from Executor 1')
  expect(headlineOf({ ...question, ref: null, actor: null, kind: 'webhook_failing' })).toBe('Webhook failing')
})

test.each(InboxKind.options)('%s has words of its own', kind => {
  expect(headlineOf({ ...question, kind })).not.toContain(kind === 'question' ? '?' : '_')
})

test.each([
  ['two\nlines', 'two lines'],
  ['gnp.\u202eexe', 'gnp. exe'],
  ['a\u0000b\u001b[31m', 'a b [31m'],
  ['x'.repeat(121), `${'x'.repeat(119)}…`],
  ['😀'.repeat(120), '😀'.repeat(120)],
])('%j becomes one line', (text, line) => {
  expect(oneLine(text)).toBe(line)
})

test('a summary counts the kinds, the most frequent first', () => {
  expect(countsLine({ spec_review: 3, question: 4 }, 'more')).toBe('7 more: 4 questions, 3 reviews')
  expect(countsLine({ mention: 1 }, 'new')).toBe('1 new: 1 mention')
})
