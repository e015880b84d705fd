import { type OperationName, operationByName } from '@specboard/contract'
import { expect, test } from 'vitest'
import { ownFieldsOf } from '../kernel/service/etag.ts'
import { ownColumns, raising, revisedTables } from './revisions.ts'
import type { TableName } from './tables/all.ts'

/** Fields of an update that it cannot change: the type of a card is fixed at its creation. */
const fixed = ['card_type']

test.each<[TableName, OperationName]>([
  ['ideations', 'get_ideation'],
  ['refinements', 'get_refinement'],
  ['specs', 'get_spec'],
  ['sprints', 'get_sprint'],
  ['cards', 'get_card'],
  ['guidelines', 'get_guideline'],
  ['architecture_designs', 'get_architecture'],
])('the own columns of %s are the own fields that %s answers (crew 2.1)', (table, get) => {
  const fields = ownFieldsOf(operationByName.get(get)!).filter(name => !fixed.includes(name))
  expect(ownColumns.get(table)?.toSorted()).toEqual(fields.toSorted())
})

test('every table with own columns is that of a kind of record', () => {
  expect([...revisedTables.values()].toSorted()).toEqual([...ownColumns.keys()].toSorted())
})

test('only own columns raise the rev, and none where it is written itself', () => {
  expect(raising('cards', ['title', 'updated_at', 'conclusions'])).toEqual(['title'])
  expect(raising('cards', ['title', 'rev'])).toEqual([])
  expect(raising('comments', ['content'])).toEqual([])
})
