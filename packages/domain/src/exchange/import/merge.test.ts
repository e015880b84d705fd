import { describe, expect, test } from 'vitest'
import { kindOf } from '../kinds/kinds.ts'
import { merge, storedDigest } from './merge.ts'
import type { Row } from './rows.ts'

const question = kindOf.get('question')!
const open: Row = { question: 'Why?', answer: null, selected: null, answered_by: null, answered_at: null }
const answer = (text: string, by: string): Row => ({
  ...open,
  answer: text,
  answered_by: by,
  answered_at: '2026-03-02T09:14:27.318Z',
})

const digests = (row: Row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, storedDigest(question.columns[name]!, value)]))

const merged = (row: Row, before: Row, last: Row | undefined = open) =>
  merge(question, { row, before, last: last && digests(last) }, name => name in row)

describe('a later import of a record', () => {
  test('takes what the file changed where the last imported value is still here', () => {
    const { changed, keptColumns } = merged(answer('Because', 'a'), open)
    expect([Object.keys(changed), keptColumns]).toEqual([['answer', 'answered_by', 'answered_at'], []])
  })

  test('leaves what was changed here and not in the file, without a word', () => {
    expect(merged(open, answer('Here', 'b'))).toEqual({ changed: {}, keptColumns: [] })
  })

  test('keeps columns together that only make sense together', () => {
    const chosen = { ...answer('', 'a'), answer: null, selected: '["x"]' }
    const { changed, keptColumns } = merged(chosen, answer('Here', 'b'))
    expect(changed).toEqual({})
    expect(keptColumns).toEqual(['answer', 'selected', 'answered_by'])
  })

  test('changes other columns of a record of which some stay', () => {
    const { changed, keptColumns } = merged({ ...answer('File', 'a'), question: 'How?' }, answer('Here', 'b'))
    expect([changed, keptColumns]).toEqual([{ question: 'How?' }, ['answer', 'answered_by']])
  })

  test('changes nothing of a record that no import has seen, and says what differs', () => {
    expect(
      merge(question, { row: answer('File', 'a'), before: open, last: undefined }, () => true).keptColumns,
    ).toEqual(['answer', 'answered_by', 'answered_at'])
  })
})
