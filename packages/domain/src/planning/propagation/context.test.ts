import { describe, expect, test } from 'vitest'
import {
  answerText,
  hasIdeationContext,
  ideationContext,
  refinementDescription,
  specContextFromIdeation,
  specContextFromRefinement,
} from './context.ts'

const bare = {
  title: 'Idea',
  version: 2,
  description: null,
  problem_statement: null,
  proposed_approach: null,
  scope_assessment: null,
  complexity: null,
}
const full = {
  ...bare,
  description: 'What',
  problem_statement: 'Why',
  proposed_approach: 'How',
  scope_assessment: { domains: 2, ambiguity: 1 },
  complexity: 'medium',
}
const choices = [
  { id: 'a', label: 'Alpha' },
  { id: 'b', label: 'Beta' },
]
const questions = [
  { question: 'Who?', choices: null, answer: 'We', selected: null },
  { question: 'Which?', choices, answer: 'both', selected: ['b', 'a'] },
]
const noRefinement = { description: null, in_scope: null, out_of_scope: null, analysis: null, decisions: null }

const block = `## Ideation context
- Title: Idea
- Version: 2

### Description
What

### Problem statement
Why

### Proposed approach
How

### Scope assessment
- Domains: 2/5
- Ambiguity: 1/5
- Dependencies: ?/5
- Complexity: medium

### Q&A
**Q:** Who?
**A:** We

**Q:** Which?
**A:** Beta, Alpha — both`

describe('the context of an ideation (ideation 8.2)', () => {
  test('contains every part', () => {
    expect(ideationContext(full, questions)).toBe(block)
  })

  test('is null when there is only a title', () => {
    expect(ideationContext(bare, [])).toBeNull()
    expect(ideationContext({ ...bare, description: ' ' }, [])).toBeNull()
  })

  test('omits parts without a value', () => {
    expect(ideationContext({ ...bare, scope_assessment: {} }, [])).toBe(
      '## Ideation context\n- Title: Idea\n- Version: 2\n\n### Scope assessment\n- Domains: ?/5\n- Ambiguity: ?/5\n- Dependencies: ?/5\n- Complexity: not evaluated',
    )
  })

  test.each([
    [null, ['a', 'b'], 'Alpha, Beta'],
    ['more', ['a'], 'Alpha — more'],
    ['more', null, 'more'],
  ])('the text of an answer %j with selection %j is "%s"', (answer, selected, text) => {
    expect(answerText({ question: '?', choices, answer, selected })).toBe(text)
  })
})

test.each([
  ['## Ideation context', true],
  ['Mine\n## Ideation context\r\nmore', true],
  ['### Ideation context', false],
  ['see ## Ideation context', false],
  [null, false],
])('whether %j contains the heading: %s', (text, has) => {
  expect(hasIdeationContext(text)).toBe(has)
})

test.each([
  ['  mine \n', 'BLOCK', 'mine\n\nBLOCK'],
  [null, 'BLOCK', 'BLOCK'],
  ['  ', 'BLOCK', 'BLOCK'],
  ['mine', null, 'mine'],
  [null, null, null],
  ['mine\n## Ideation context', 'BLOCK', 'mine\n## Ideation context'],
])('the description %j with the context %j becomes %j', (own, context, description) => {
  expect(refinementDescription(own, context)).toBe(description)
})

describe('the context of a derived spec (ideation 8.3)', () => {
  test('from an ideation consists of its parts', () => {
    expect(specContextFromIdeation(full)).toBe(
      '## Problem Statement\nWhy\n\n## Proposed Approach\nHow\n\n## Scope Assessment\n- Domains: 2/5\n- Ambiguity: 1/5\n- Dependencies: ?/5\n- Complexity: medium',
    )
  })

  test.each(['What', null])('from an ideation without other parts is its description %j', description => {
    expect(specContextFromIdeation({ ...bare, description })).toBe(description)
  })

  test('from a refinement includes the context of its ideation', () => {
    const refinement = {
      description: 'Mine',
      in_scope: ['a', 'b'],
      out_of_scope: ['c'],
      analysis: 'Deep',
      decisions: ['d'],
    }
    expect(specContextFromRefinement(refinement, 'BLOCK')).toBe(
      '## Refinement Description\nMine\n\n## In Scope\n- a\n- b\n\n## Out of Scope\n- c\n\n## Analysis\nDeep\n\n## Decisions\n- d\n\nBLOCK',
    )
  })

  test('from a refinement does not repeat a context that it already has', () => {
    const refinement = { ...noRefinement, description: '## Ideation context\n…' }
    expect(specContextFromRefinement(refinement, 'BLOCK')).toBe('## Refinement Description\n## Ideation context\n…')
  })

  test('from an empty refinement is null', () => {
    expect(specContextFromRefinement(noRefinement, null)).toBeNull()
  })
})
