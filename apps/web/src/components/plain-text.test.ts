import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.each([
  ['A **balance** of `cards`', 'A balance of cards'],
  ['# Why\n\n- It lasts\n2. It is kept\n> Said', 'Why\n\nIt lasts\nIt is kept\nSaid'],
  ['2 * 3 - 1 > 4, __proto__ and C# stay', '2 * 3 - 1 > 4, __proto__ and C# stay'],
])('%j is read as %j', (markdown, text) => {
  expect(plainText(markdown)).toBe(text)
})
