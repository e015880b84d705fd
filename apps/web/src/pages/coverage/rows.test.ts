import { describe, expect, test } from 'vitest'
import type { Spec } from '../../data/planning.ts'
import { columnsOf, criteriaOf, rowsOf } from './rows.ts'

const card = (id: string, fields: Partial<Spec['cards'][number]> = {}) =>
  ({ id, archived: false, status: 'not_started', card_type: 'normal', ...fields }) as Spec['cards'][number]

const cards = [
  card('work'),
  card('test', { card_type: 'test' }),
  card('dropped', { status: 'cancelled', card_type: 'test' }),
  card('gone', { archived: true, card_type: 'test' }),
]

const specWith = (fields: object): Spec => ({ cards, ...fields }) as Spec

const strict = {
  skip_test_coverage_global: false,
  skip_rules_coverage_global: false,
  skip_trs_coverage_global: false,
  skip_contract_coverage_global: false,
  skip_decisions_coverage_global: false,
}

const linkedTo = (...linked_task_ids: string[]) => [
  { id: 'x', title: 'X', text: 'X', method: 'GET', path: '/', status: 'active', linked_task_ids },
]

describe('an item is covered as its gate judges (specs 6.1)', () => {
  test.each([
    ['test_scenarios', ['test'], true],
    ['test_scenarios', ['work'], false],
    ['test_scenarios', ['dropped', 'gone'], false],
    ['test_scenarios', [], false],
    ['business_rules', ['work'], true],
    ['business_rules', ['dropped'], false],
    ['technical_requirements', ['test'], true],
    ['api_contracts', ['work'], true],
    ['decisions', ['gone', 'work'], true],
  ])('%s with %j: %s', (list, ids, isCovered) => {
    expect(rowsOf(specWith({ [list]: linkedTo(...ids) }), strict)).toMatchObject([{ isCovered, isSkipped: false }])
  })
  test('a flag of the spec or a setting of the board skips its gate', () => {
    const spec = specWith({ business_rules: linkedTo(), api_contracts: linkedTo(), skip_rules_coverage: true })
    const rows = rowsOf(spec, { ...strict, skip_contract_coverage_global: true })
    expect(rows.map(({ isSkipped }) => isSkipped)).toEqual([true, true])
  })
  test('decisions that hold no longer and requirements in text form are left out', () => {
    const spec = specWith({
      decisions: [{ id: 'd', title: 'D', status: 'revoked', linked_task_ids: null }],
      technical_requirements: ['Fast'],
    })
    expect(rowsOf(spec, strict)).toEqual([])
  })
})

test('cards that count have a column, others only where they are linked', () => {
  const spec = specWith({ test_scenarios: linkedTo('dropped') })
  expect(columnsOf(spec, rowsOf(spec, strict)).map(({ id }) => id)).toEqual(['work', 'test', 'dropped'])
})

test('a criterion is named by its place or its words', () => {
  const scenario = (id: string, ...linked_criteria: string[]) => ({ id, title: id, linked_criteria })
  const spec = specWith({
    acceptance_criteria: ['It works', 'It is fast', 'It is safe'],
    test_scenarios: [scenario('a', '0'), scenario('b', 'It is fast', '0')],
  })
  expect(criteriaOf(spec).map(({ by }) => by.map(({ id }) => id))).toEqual([['a', 'b'], ['b'], []])
})
