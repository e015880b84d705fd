import { expect, test } from 'vitest'
import { bulletsUnder, sectionLines, sentences, tellsAlternative, tellsAssumption } from './sections.ts'

const text =
  '# Title\n## Analysis\nOne.\n### Detail\nTwo.\n# Part\nThree.\n## decisions\n- First\n* Second\ntext\n-\n## Other\n- Third'

test('takes the lines under a heading up to the next `##` heading', () =>
  expect(sectionLines(text, 'Analysis')).toEqual(['One.', '### Detail', 'Two.', '# Part', 'Three.']))

test('takes the bullets under a heading, in any letter case', () =>
  expect(bulletsUnder(text, 'Decisions')).toEqual(['First', 'Second']))

test('ends sentences at . ! ? and line breaks', () =>
  expect(sentences('We chose A. Why? Because!\nB was rejected')).toEqual([
    'We chose A',
    'Why',
    'Because',
    'B was rejected',
  ]))

test.each([
  'An alternative was B',
  'Alternatives: B',
  'B was considered',
  'A instead of B',
  'B is Rejected',
  'discarded B',
  'B was not chosen',
])('finds an alternative in: %s', sentence => expect(tellsAlternative(sentence)).toBe(true))

test.each(['Assuming one node', 'Here we assume one node', 'It is assumed that one node runs'])(
  'finds an assumption in: %s',
  sentence => expect(tellsAssumption(sentence)).toBe(true),
)

test('finds neither in other sentences', () => {
  expect(tellsAlternative('It was reconsidered')).toBe(false)
  expect(tellsAssumption('We assumed nothing')).toBe(false)
})
