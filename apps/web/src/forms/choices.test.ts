import { expect, test } from 'vitest'
import { choicesIn } from './choices.ts'

test('each line that says something is a choice', () => {
  expect(choicesIn(' Blue \n\nRed\r\n  ')).toEqual([
    { id: 'c1', label: 'Blue' },
    { id: 'c2', label: 'Red' },
  ])
  expect(choicesIn(' \n')).toEqual([])
})
