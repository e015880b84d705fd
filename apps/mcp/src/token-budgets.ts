import { listedPrompts } from './prompts/get-prompt.ts'
import { listedTemplates } from './resources/listed-templates.ts'
import { instructionsFor } from './server/instructions.ts'
import { percentile, type TokenCost, tokensOf } from './token-cost.ts'
import { viewOf } from './tools/view.ts'

/** Maximum number of tokens that a list may cost. */
export interface Budget {
  /** In the model view. */
  readonly model: number
  readonly wire: number
}

/** What each view may cost (mcp 7.6). */
const budgets = {
  // 25,800 and 35,600 with evidence.md and git.md, plus the first seven tools of harness.md, three tools of insight.md
  // about flow, and the additions of web.md and people.md.
  all: { model: 28_200, wire: 38_600 },
  interface: { model: 18_500, wire: 26_000 },
  core: { model: 4_500, wire: 6_000 },
  planner: { model: 4_400, wire: 5_700 },
  // Including what evidence.md and git.md add to both.
  executor: { model: 2_850, wire: 3_750 },
  validator: { model: 2_450, wire: 3_250 },
  tester: { model: 2_600, wire: 3_400 },
  // Including what harness.md adds.
  manager: { model: 2_550, wire: 3_350 },
  meta: { model: 400, wire: 650 },
} as const satisfies Record<string, Budget>

/** A view with a budget. */
type BudgetedView = keyof typeof budgets

/** The views with a budget, the complete one first. */
export const budgetedViews = Object.keys(budgets) as readonly BudgetedView[]

/** The budget of a view; undefined for a view without one (mcp 7.6). */
export const budgetOf = (toolsets: string): Budget | undefined =>
  Object.hasOwn(budgets, toolsets) ? budgets[toolsets as BudgetedView] : undefined

/** Token budgets of individual tools, including extensions (mcp 7.6). */
const toolBudgets = {
  model: { median: 90, most: 250, max: 450 },
  wire: { median: 125, max: 500 },
} as const

/** Token budgets of the texts sent once to a client, besides the tools (mcp 7.6). */
const onceBudgets = { instructions: 480, prompts: 700, templates: 700 } as const

/** What is measured, its tokens, and its budget. */
type Measurement = readonly [what: string, tokens: number, most: number]

/** Tools of a view that exceed its budget, one line each; empty when everything is within it (mcp 7.6). */
export function overBudget(toolsets: string, cost: TokenCost): string[] {
  const budget = budgetOf(toolsets)
  const measured: readonly Measurement[] = [
    ...(budget === undefined
      ? []
      : ([
          ['model view', cost.model, budget.model],
          ['wire', cost.wire, budget.wire],
        ] as const)),
    ...(toolsets === 'all' ? singleTools(cost) : []),
    ...once(toolsets),
  ]
  return measured.flatMap(([label, tokens, most]) => (tokens > most ? [`${label}: ${tokens} of ${most}`] : []))
}

/** The individual tools, taken from the full list, since each smaller list is a selection of it. */
function singleTools({ byTool }: TokenCost): Measurement[] {
  const models = byTool.map(tool => tool.model)
  const { model, wire } = toolBudgets
  return [
    ['median of the model view', percentile(models, 0.5), model.median],
    ['95 % of the model view', percentile(models, 0.95), model.most],
    [
      'median of the wire',
      percentile(
        byTool.map(tool => tool.wire),
        0.5,
      ),
      wire.median,
    ],
    ...byTool.flatMap((tool): Measurement[] => [
      [`${tool.name} for a model`, tool.model, model.max],
      [`${tool.name} on the wire`, tool.wire, wire.max],
    ]),
  ]
}

/** The texts sent once to a client besides the tools. */
function once(toolsets: string): Measurement[] {
  const anybody = () => true
  return [
    ['instructions', instructionsFor(viewOf({ toolsets }, 'all')).length / 4, onceBudgets.instructions],
    ['prompts/list', tokensOf(listedPrompts(anybody)), onceBudgets.prompts],
    ['resources/templates/list', tokensOf(listedTemplates(anybody)), onceBudgets.templates],
  ]
}
