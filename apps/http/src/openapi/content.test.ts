import { operationByName, registry } from '@specboard/contract'
import { expect, test } from 'vitest'
import { exampleName, examplesOf } from './content.ts'
import { exampleOf } from './example.ts'
import { answerOf } from './schemas.ts'

const examples = examplesOf(registry)

test('an example has one name, and no other example has it', () => {
  for (const operation of registry)
    for (const [side, schema] of [
      ['request', operation.body],
      ['answer', answerOf(operation)],
    ] as const)
      if (schema !== undefined)
        expect(examples.get(exampleName(operation, side))).toStrictEqual(exampleOf(schema, side))
})

test.each([
  ['create_card', 'request', 'CardCreate'],
  ['get_card', 'answer', 'Card'],
  ['list_boards', 'answer', 'BoardListItemList'],
  ['update_board_guideline', 'answer', 'update_board_guideline_answer'],
] as const)('%s: the %s is %s', (name, side, expected) => {
  expect(exampleName(operationByName.get(name)!, side)).toBe(expected)
})

test('a document of one operation has its examples and those of its errors alone', () => {
  const names = [...examplesOf([operationByName.get('list_kg_audit')!]).keys()]
  expect(names.toSorted()).toStrictEqual([
    'BUSY',
    'FORBIDDEN',
    'HTTPValidationError',
    'INTERNAL_ERROR',
    'INVALID_CURSOR',
    'KgSessionPage',
    'NOT_FOUND',
    'STORAGE_FULL',
    'STORAGE_LOST',
    'UNAUTHORIZED',
  ])
})
