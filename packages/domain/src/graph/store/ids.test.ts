import { expect, test } from 'vitest'
import { edgeIdOf, nodeIdOf } from './ids.ts'

const board = '01890000-0000-7000-8000-000000000000'
const spec = '01991111-2222-7abc-9def-0123456789ab'
const key = { node_type: 'Requirement', ref: `spec:${spec}:fr:0` } as const

test('ids are version 7 UUIDs with the time of their record', () => {
  expect(nodeIdOf(board, key)).toMatch(/^01991111-2222-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(nodeIdOf(board, { node_type: 'Entity', ref: 'tech:redis' })).toMatch(/^01890000-0000-7/)
})

test('the same node always has the same id, and different nodes have different ids', () => {
  expect(nodeIdOf(board, key)).toBe(nodeIdOf(board, { ...key }))
  expect(nodeIdOf(spec, key)).not.toBe(nodeIdOf(board, key))
  expect(edgeIdOf('tests', spec, board)).not.toBe(edgeIdOf('tests', board, spec))
})
