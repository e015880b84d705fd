import { expect, test } from 'vitest'
import type { SourceFindings } from './source.ts'
import { Tally } from './tally.ts'

type Told = SourceFindings['problems'][number]

const problem = (fields: Partial<Told>): Told => ({
  entry: null,
  line: null,
  kind: null,
  id: null,
  reason: 'The format has no such file.',
  severity: 'skipped',
  ...fields,
})

test('what is skipped is counted by reason: files too, and links to different records that are not there as one', () => {
  const link = (id: string, to: string) =>
    problem({ kind: 'dependency', id, reason: `A link to ${to}, which is not a card here.` })
  const problems = [
    problem({ entry: 'odd.txt' }),
    problem({ entry: 'odd.md' }),
    link('1>2', '2'),
    link('1>bd-7', 'bd-7'),
    problem({ kind: 'card', id: '3', reason: 'A template.' }),
    problem({ severity: 'not_read', reason: 'It is not text.' }),
  ]
  const { sums, skipped, skipped_reasons } = new Tally({ problems, mapped_words: [], inferred: [] }).report(
    'beads',
    false,
  )
  expect(skipped_reasons).toEqual({
    'The format has no such file.': 2,
    'A link to …, which is not a card here.': 2,
    'A template.': 1,
  })
  expect([skipped, sums.skipped, sums.not_read]).toEqual([{ dependency: 2, card: 1 }, 3, 1])
})
