import { expect, test } from 'vitest'
import { Names } from './naming.ts'

const names = new Names(
  ['SPE', 'OLD'],
  [{ id: 'a', number: 3, ref: 'SPE-3', scenarios: new Set(['S1', 'S12', 'S1.a', 't-1']) }],
)

test.each([
  ['keeps items SPE-3/S1', ['SPE-3/S1'], []],
  ['[SPE-3/S12]', ['SPE-3/S12'], []],
  ['SPE-3/S1, SPE-3/S1.a', ['SPE-3/S1', 'SPE-3/S1.a'], []],
  ['See SPE-3/S1. Then', ['SPE-3/S1'], []],
  ['OLD-3/t-1', ['SPE-3/t-1'], []],
  ['SPE-3/S9', [], ['SPE-3/S9']],
  ['SPE-4/S1', [], ['SPE-4/S1']],
  ['SPE-3/S1x', [], ['SPE-3/S1x']],
  ['xSPE-3/S1 A-SPE-3/S1 _SPE-3/S1', [], []],
  ['ABC-3/S1', [], []],
  ['src/a/b', [], []],
])('%s names %j', (text, scenarios, unknown) => {
  const found = names.in([text])
  expect([[...found.scenarios.keys()], [...found.unknown]]).toEqual([scenarios, unknown])
})
