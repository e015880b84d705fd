import { expect, test } from 'vitest'
import { HookPace } from './pace.ts'

test('20 events a second of an agent, and again as time goes on; others are not held up (harness 3.2)', () => {
  const pace = new HookPace()
  for (let event = 0; event < 20; event++) pace.count('one', 1_000)
  expect(() => pace.count('one', 1_000)).toThrow(/too often/)
  pace.count('other', 1_000)
  pace.count('one', 1_050)
  expect(() => pace.count('one', 1_050)).toThrow(/too often/)
})
