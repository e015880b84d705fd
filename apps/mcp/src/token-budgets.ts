import { type AnyOperation, registry } from '@specboard/contract'
import { listedPrompts } from './prompts/get-prompt.ts'
import { listedTemplates } from './resources/listed-templates.ts'
import { instructionsFor } from './server/instructions.ts'
import { percentile, type TokenCost, tokensOf } from './token-cost.ts'
import { viewOf } from './tools/view.ts'

/** The most tokens that a list may cost. */
export interface Budget {
  /** In the model view. */
  readonly model: number
  readonly wire: number
}

/** What the interface's own tools may cost in a view (mcp 7.6). */
const interfaceShares = {
  all: { model: 18_500, wire: 26_000 },
  interface: { model: 18_500, wire: 26_000 },
  core: { model: 4_800, wire: 6_200 },
  planner: { model: 4_400, wire: 5_700 },
  executor: { model: 2_600, wire: 3_400 },
  validator: { model: 1_900, wire: 2_600 },
  meta: { model: 600, wire: 900 },
} as const satisfies Record<string, Budget>

/** A view with a budget. */
type BudgetedView = keyof typeof interfaceShares

/** The views with a budget, the whole first. */
export const budgetedViews = Object.keys(interfaceShares) as readonly BudgetedView[]

/** What each extension adds to the budget of the view of all; the larger ones come before the smaller ones. */
const extensionShare: Budget = { model: 155, wire: 135 }

/** The most that the extensions of a view add together (work). */
const extensionCeiling = (view: BudgetedView): Budget =>
  view === 'all' ? { model: 3_500, wire: 4_500 } : { model: 600, wire: 800 }

/** What the extensions of a view add: a share for each to the whole, where there are many; to a role's view together. */
function extensionsOf(view: BudgetedView, extensions: number): Budget {
  const ceiling = extensionCeiling(view)
  if (extensions === 0) return { model: 0, wire: 0 }
  if (view !== 'all') return ceiling
  return {
    model: Math.min(extensions * extensionShare.model, ceiling.model),
    wire: Math.min(extensions * extensionShare.wire, ceiling.wire),
  }
}

const isBudgeted = (toolsets: string): toolsets is BudgetedView => Object.hasOwn(interfaceShares, toolsets)

/**
 * The budget of a view: the share of the interface's own tools, and what its extensions add (mcp 7.6). Undefined for a view without a budget.
 */
export function budgetOf(toolsets: string, operations: readonly AnyOperation[] = registry): Budget | undefined {
  if (!isBudgeted(toolsets)) return undefined
  const listed = new Set(viewOf({ toolsets }, 'all').tools)
  const extensions = operations.filter(({ name, extension }) => extension && listed.has(name)).length
  const share = interfaceShares[toolsets]
  const added = extensionsOf(toolsets, extensions)
  return { model: share.model + added.model, wire: share.wire + added.wire }
}

/** The most that tools may cost one by one, an extension as any other (mcp 7.6). */
const toolBudgets = {
  model: { median: 90, most: 250, max: 450 },
  wire: { median: 125, max: 500 },
} as const

/** The most that a client is told once, beside the tools (mcp 7.6). */
const onceBudgets = { instructions: 500, prompts: 700, templates: 700 } as const

/** What is measured, its tokens, and the most that it may have. */
type Measured = readonly [what: string, tokens: number, most: number]

/** What of a toolset's list is over its budget, a line each; none when all is within (mcp 7.6). */
export function overBudget(toolsets: string, cost: TokenCost): string[] {
  const budget = budgetOf(toolsets)
  const measured: readonly Measured[] = [
    ...(budget === undefined
      ? []
      : ([
          ['model view', cost.model, budget.model],
          ['wire', cost.wire, budget.wire],
        ] as const)),
    ...(toolsets === 'all' ? singleTools(cost) : []),
    ...once(toolsets),
  ]
  return measured.flatMap(([what, tokens, most]) => (tokens > most ? [`${what}: ${tokens} of ${most}`] : []))
}

/** The tools one by one: of the list of all, for each smaller one is a choice among them. */
function singleTools({ byTool }: TokenCost): Measured[] {
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
    ...byTool.flatMap((tool): Measured[] => [
      [`${tool.name} for a model`, tool.model, model.max],
      [`${tool.name} on the wire`, tool.wire, wire.max],
    ]),
  ]
}

/** What a client is told once beside the tools. */
function once(toolsets: string): Measured[] {
  const anybody = () => true
  return [
    ['instructions', instructionsFor(viewOf({ toolsets }, 'all')).length / 4, onceBudgets.instructions],
    ['prompts/list', tokensOf(listedPrompts(anybody)), onceBudgets.prompts],
    ['resources/templates/list', tokensOf(listedTemplates(anybody)), onceBudgets.templates],
  ]
}
