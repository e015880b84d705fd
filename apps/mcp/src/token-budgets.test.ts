import { registry } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { budgetedViews, budgetOf, overBudget } from './token-budgets.ts'
import { costOf } from './token-cost.ts'
import { core } from './tools/toolsets.ts'

test.each(budgetedViews)('%s is within its budget', view => {
  const cost = costOf(view)
  const budget = budgetOf(view)!
  console.log(
    `${view}: ${cost.tools} tools, model ${cost.model} of ${budget.model}, wire ${cost.wire} of ${budget.wire}`,
  )
  expect(overBudget(view, cost)).toEqual([])
})

describe('a budget', () => {
  const own = registry.map(operation => ({ ...operation, extension: false }))
  const withExtensions = (count: number) => own.map((operation, index) => ({ ...operation, extension: index < count }))

  test('of the interface is that of the contract', () => {
    expect(budgetOf('all', own)).toEqual({ model: 18_500, wire: 26_000 })
    expect(budgetOf('core', own)).toEqual({ model: 4_800, wire: 6_200 })
  })

  test('grows with each extension, up to the ceiling of all together', () => {
    expect(budgetOf('all', withExtensions(2))).toEqual({ model: 18_810, wire: 26_270 })
    expect(budgetOf('all', withExtensions(100))).toEqual({ model: 22_000, wire: 30_500 })
  })

  test('of a role grows once, where its view lists an extension', () => {
    const extended = (names: readonly string[]) =>
      own.map(operation => ({ ...operation, extension: names.includes(operation.name) }))
    expect(budgetOf('core', extended(['delete_card']))).toEqual(budgetOf('core', own))
    expect(budgetOf('core', extended(['get_card']))).toEqual({ model: 5_400, wire: 7_000 })
    expect(budgetOf('core', extended(core))).toEqual({ model: 5_400, wire: 7_000 })
  })

  test('is given to the views of the contract alone', () => {
    expect(budgetOf('cards')).toBeUndefined()
    expect(overBudget('cards', costOf('cards'))).toEqual([])
  })
})

describe('what is over is told', () => {
  const cost = costOf('all')
  const { model, wire } = budgetOf('all')!
  const dear = (each: { readonly model?: number; readonly wire?: number }) => ({
    ...cost,
    byTool: cost.byTool.map(tool => ({ ...tool, ...each })),
  })

  test.each([
    ['the whole for a model', { ...cost, model: model + 1 }, `model view: ${model + 1} of ${model}`],
    ['the whole on the wire', { ...cost, wire: wire + 1 }, `wire: ${wire + 1} of ${wire}`],
    ['half of the tools for a model', dear({ model: 91 }), 'median of the model view: 91 of 90'],
    ['95 % of the tools', dear({ model: 251 }), '95 % of the model view: 251 of 250'],
    ['half of the tools on the wire', dear({ wire: 126 }), 'median of the wire: 126 of 125'],
    ['a tool for a model', dear({ model: 451 }), 'get_card for a model: 451 of 450'],
    ['a tool on the wire', dear({ wire: 501 }), 'get_card on the wire: 501 of 500'],
  ])('%s', (_, measured, line) => {
    expect(overBudget('all', measured)).toContain(line)
  })
})
