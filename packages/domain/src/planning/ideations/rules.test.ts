import { IdeationStatus } from '@specboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkedComplexity, checkScores, complexityOf, complexRefusal, evaluated, ideationStates } from './rules.ts'

const nothing = {
  domains: null,
  ambiguity: null,
  dependencies: null,
  domains_justification: null,
  ambiguity_justification: null,
  dependencies_justification: null,
}
const refusedWith = (code: string) => expect.objectContaining({ code })

test.each([
  ['draft', ['review', 'cancelled']],
  ['review', ['draft', 'approved', 'cancelled']],
  ['approved', ['review', 'evaluating', 'cancelled']],
  ['evaluating', ['approved', 'done', 'cancelled']],
  ['done', ['draft']],
  ['cancelled', []],
] as const)('an ideation in %s can move to %j', (from, allowed) => {
  expect(ideationStates.allowed(from)).toEqual(allowed)
})

test('a move is allowed exactly when the table has it; otherwise the refusal names the allowed ones', () => {
  const status = fc.constantFrom(...IdeationStatus.options)
  fc.assert(
    fc.property(status, status, (from, to) => {
      const allowed = ideationStates.allowed(from)
      const refusal = ideationStates.refusal(from, to)
      if (allowed.includes(to)) expect(refusal).toBeNull()
      else expect(refusal).toMatchObject({ code: 'INVALID_TRANSITION', extra: { from, to, allowed } })
    }),
  )
})

test.each([
  [{}, 'small'],
  [{ domains: 1, ambiguity: 1, dependencies: 1 }, 'small'],
  [{ ambiguity: 2 }, 'medium'],
  [{ domains: 1, dependencies: 3 }, 'large'],
  [{ domains: 5, ambiguity: 1 }, 'large'],
] as const)('%j is %s', (assessment, complexity) => {
  expect(complexityOf(assessment)).toBe(complexity)
})

describe('an evaluation', () => {
  test('merges the supplied fields into the assessment and keeps the rest', () => {
    expect(
      evaluated(
        { domains: 1, note: 'kept', ambiguity_justification: 'old' },
        { ...nothing, domains: '2', ambiguity_justification: 'new' },
      ),
    ).toEqual({
      scope_assessment: { domains: 2, note: 'kept', ambiguity_justification: 'new' },
      complexity: 'medium',
    })
  })

  test('without any field makes an empty assessment', () => {
    expect(evaluated(null, nothing)).toEqual({ scope_assessment: {}, complexity: 'small' })
  })

  test.each([0, 6, -1, '0', '6', '00000000009'])('with a score of %j is refused with the name of the field', score => {
    expect(() => evaluated(null, { ...nothing, dependencies: score })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        extra: expect.objectContaining({ details: [expect.objectContaining({ field: 'dependencies' })] }),
      }),
    )
  })
})

test.each([0, 6, 1.5, '3', null, true])('a score of %j in scope_assessment is refused', value => {
  expect(() => checkScores({ ambiguity: value })).toThrow(refusedWith('VALIDATION_ERROR'))
})

test.each([null, undefined, {}, { domains: 5, anything: 'else' }])('the assessment %j is accepted', assessment => {
  expect(() => checkScores(assessment)).not.toThrow()
})

test.each([null, 'small', 'medium', 'large'])('the complexity %j is accepted', value => {
  expect(checkedComplexity(value)).toBe(value)
})

test.each(['', 'SMALL', 'huge'])('the complexity %j is refused', value => {
  expect(() => checkedComplexity(value)).toThrow(refusedWith('VALIDATION_ERROR'))
})

test.each([null, 'small'] as const)('a spec can be derived directly from an ideation of complexity %j', complexity => {
  expect(complexRefusal(complexity)).toBeNull()
})

test.each(['medium', 'large'] as const)('a %s ideation needs a refinement', complexity => {
  expect(complexRefusal(complexity)).toMatchObject({
    code: 'REFINEMENT_REQUIRED',
    extra: { complexity, missing: ['refinement'] },
  })
})
