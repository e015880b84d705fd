import { expect, test } from 'vitest'
import { numbersOf, readOptions, usageOf } from './options.ts'

const accepted = {
  options: { rounds: 20, oneBoard: 200_000, file: '', quick: false },
  word: 'rounds' as const,
  short: { rounds: 2, oneBoard: 10 },
}

test('options have the type of their defaults', () => {
  const { rounds, oneBoard, file, quick } = readOptions(accepted, ['7', '--one-board=5', '--file=a.csv', '--quick'])
  expect({ rounds, oneBoard, file, quick }).toEqual({ rounds: 7, oneBoard: 5, file: 'a.csv', quick: true })
})

test('the short form has values of its own, which the command line overrides', () => {
  expect(readOptions(accepted, ['--short', '--one-board=5'])).toMatchObject({ rounds: 2, oneBoard: 5, short: true })
  expect(readOptions(accepted, [])).toMatchObject({ rounds: 20, oneBoard: 200_000, engine: 'sqlite', json: false })
})

test.each([
  [['--unknown'], /unknown/],
  [['--one-board=many'], '--one-board takes a number, not "many".'],
  [['many'], '--rounds takes a number, not "many".'],
  [['--one-board=-1'], /takes a number/],
])('%s is refused', (words, message) => {
  expect(() => readOptions(accepted, words)).toThrow(message)
})

test('words are refused where no option takes them', () => {
  expect(() => readOptions({}, ['word'])).toThrow(/word/)
})

test('lists of numbers, and the usage line', () => {
  expect(numbersOf('sizes', '1000,10')).toEqual([1000, 10])
  expect(() => numbersOf('sizes', '1000,')).toThrow('--sizes takes a number, not "".')
  expect(usageOf(accepted)).toBe('[rounds, 20 by default] [--one-board=200000] [--file=…] [--quick]')
})
