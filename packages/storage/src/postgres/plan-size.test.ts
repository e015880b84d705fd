import { expect, test } from 'vitest'
import { keptBytes } from './plan-size.ts'

const node = (type: string, rows: number, width: number, rest: object = {}) => ({
  'Node Type': type,
  'Plan Rows': rows,
  'Plan Width': width,
  ...rest,
})
const bytesOf = (plan: object) => keptBytes(JSON.stringify([{ Plan: plan }]))

test('what passes through is not kept, what is sorted, hashed, joined or gathered is', () => {
  const product = node('Nested Loop', 1e6, 100, { Plans: [node('Seq Scan', 1e3, 50), node('Seq Scan', 1e3, 50)] })
  expect(bytesOf(product)).toBe(0)
  expect(bytesOf(node('Aggregate', 1, 8, { Strategy: 'Plain', Plans: [product] }))).toBe(0)
  expect(bytesOf(node('Sort', 1e6, 100, { Plans: [product] }))).toBe(1e8)
  expect(bytesOf(node('Aggregate', 200, 100, { Strategy: 'Hashed', Plans: [product] }))).toBe(1e8)
  const joined = node('Hash Join', 10, 8, { Plans: [node('Seq Scan', 10, 8), node('Hash', 100, 8)] })
  expect(bytesOf(node('Sort', 10, 8, { Plans: [joined] }))).toBe(80 + 800)
})

test('a sort below a limit keeps as many rows as the limit', () => {
  expect(bytesOf(node('Limit', 10, 100, { Plans: [node('Sort', 1e6, 100)] }))).toBe(1_000)
})
