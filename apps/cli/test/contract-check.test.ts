import { type AnyOperation, featureOf, operationByName, registry } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { differences, type Line, type Tables } from '../../../tools/contract/differences.ts'
import { readTables } from '../../../tools/contract/tables.ts'

test('the registry is what the tables of the contract say', () => {
  expect(differences(registry, featureOf, readTables())).toEqual([])
})

describe('a difference is told', () => {
  const card = operationByName.get('get_card')!
  const line: Line = {
    feature: 'cards',
    name: 'get_card',
    method: 'GET',
    path: '/api/v1/cards/{card_id}',
    permission: 'CARDS_READ',
  }
  const problems = (operations: readonly AnyOperation[], tables: Partial<Tables>) =>
    differences(operations, () => 'cards', { interface: [], extensions: [], ...tables })

  test.each<[string, readonly AnyOperation[], Partial<Tables>, string]>([
    ['of an operation that is not built', [], { interface: [line] }, 'get_card is not built'],
    ['of an extension that is not built', [], { extensions: [line] }, 'get_card is not built'],
    ['of one in no table', [card], {}, 'get_card is in neither table; add an operation of your own to extensions.tsv'],
    [
      'of another path',
      [card],
      { interface: [{ ...line, path: '/api/v1/card/{card_id}' }] },
      'get_card: path is /api/v1/cards/{card_id}, the contract says /api/v1/card/{card_id}',
    ],
    [
      'of another feature',
      [card],
      { interface: [{ ...line, feature: 'boards' }] },
      'get_card: feature is cards, the contract says boards',
    ],
    ['of an extension without its mark', [card], { extensions: [line] }, 'get_card: extension is false'],
    [
      'of the mark on an operation of the interface',
      [{ ...card, extension: true }],
      { interface: [line] },
      'get_card: extension is true',
    ],
  ])('%s', (_, operations, tables, difference) => {
    expect(problems(operations, tables)).toEqual([difference])
  })

  test('not where operations and tables agree', () => {
    expect(problems([card], { interface: [line] })).toEqual([])
    expect(problems([{ ...card, extension: true }], { extensions: [line] })).toEqual([])
  })
})
