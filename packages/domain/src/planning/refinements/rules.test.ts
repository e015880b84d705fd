import { RefinementStatus } from '@specboard/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refinementStates, scopeRefusal } from './rules.ts'

test.each([
  ['draft', ['review', 'cancelled']],
  ['review', ['draft', 'approved', 'cancelled']],
  ['approved', ['review', 'done', 'cancelled']],
  ['done', ['draft']],
  ['cancelled', []],
] as const)('a refinement in %s can move to %j', (from, allowed) => {
  expect(refinementStates.allowed(from)).toEqual(allowed)
})

test('only the move to review has a gate', () => {
  const status = fc.constantFrom(...RefinementStatus.options)
  fc.assert(
    fc.property(status, status, (from, to) => {
      if (!refinementStates.allowed(from).includes(to)) return
      const gated = from === 'draft' && to === 'review'
      expect(refinementStates.gates(from, to)).toEqual(gated ? ['scope'] : [])
    }),
  )
})

test.each([null, [], ['', '  ']])('in_scope %j does not pass the gate', in_scope => {
  expect(scopeRefusal({ in_scope })).toMatchObject({ code: 'SCOPE_REQUIRED', extra: { missing: ['in_scope'] } })
})

test('one non-blank entry passes the gate', () => {
  expect(scopeRefusal({ in_scope: [' ', 'login'] })).toBeNull()
})
