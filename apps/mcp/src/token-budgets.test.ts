import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { budgetedViews, budgetOf, overBudget } from './token-budgets.ts'
import { costOf, modelView, tokensOf } from './token-cost.ts'
import { definitionsOf } from './tools/definitions.ts'
import { viewOf } from './tools/view.ts'

test.each(budgetedViews)('%s is within its budget', view => {
  const cost = costOf(view)
  const budget = budgetOf(view)!
  console.log(
    `${view}: ${cost.tools} tools, model ${cost.model} of ${budget.model}, wire ${cost.wire} of ${budget.wire}`,
  )
  expect(overBudget(view, cost)).toEqual([])
})

test.each(budgetedViews)('%s has no more tokens of o200k_base than are told', view => {
  const toolView = viewOf({ toolsets: view }, 'all')
  const whole = definitionsOf(toolView.tools, toolView)
  const views = { wire: whole, model: whole.map(modelView) }
  for (const kind of ['wire', 'model'] as const) {
    const counted = countTokens(JSON.stringify(views[kind]))
    expect(counted).toBeLessThanOrEqual(tokensOf(views[kind], kind))
    // The estimate may not be much higher either: a budget that is never reached keeps nothing small.
    expect(tokensOf(views[kind], kind) / counted).toBeLessThan(1.07)
  }
})

test('a budget is given to the views of the contract alone', () => {
  expect(budgetOf('interface')).toEqual({ model: 18_500, wire: 26_000 })
  expect(budgetOf('cards')).toBeUndefined()
  expect(overBudget('cards', costOf('cards'))).toEqual([])
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
