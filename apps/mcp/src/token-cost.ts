import { listedPrompts } from './prompts/get-prompt.ts'
import { listedTemplates } from './resources/listed-templates.ts'
import { instructionsFor } from './server/instructions.ts'
import { definitionsOf, type ToolDefinition } from './tools/definitions.ts'
import { viewOf } from './tools/view.ts'

/** What a list of tools costs, in tokens: characters of minified JSON divided by 4. */
export interface TokenCost {
  readonly tools: number
  /** Name, description and input schema: what hosts hand to a model. */
  readonly model: number
  /** Everything that goes over the wire. */
  readonly wire: number
  /** Each tool's share of the model view, dearest first. */
  readonly byTool: readonly { readonly name: string; readonly model: number; readonly wire: number }[]
}

/** The most that a view may cost (mcp 7.6). */
export interface Budget {
  readonly model: number
  readonly wire: number
}

/** The budgets by toolset. */
export const budgets: Readonly<Record<string, Budget>> = {
  all: { model: 18_500, wire: 26_000 },
  core: { model: 4_800, wire: 6_200 },
  planner: { model: 4_400, wire: 5_700 },
  executor: { model: 2_600, wire: 3_400 },
  validator: { model: 1_900, wire: 2_600 },
  meta: { model: 600, wire: 900 },
}

/** The most that tools may cost one by one (mcp 7.6). */
const toolBudgets = {
  model: { median: 90, most: 250, max: 450 },
  wire: { median: 125, max: 500 },
} as const

/** The most that a client is told once, beside the tools (mcp 7.6). */
const onceBudgets = { instructions: 500, prompts: 700, templates: 700 } as const

/** Tokens of a value. */
export const tokensOf = (value: unknown): number => JSON.stringify(value).length / 4

const modelView = ({ name, description, inputSchema }: ToolDefinition) => ({ name, description, inputSchema })

/** What the view of a toolset costs a key that may do everything. */
export function costOf(toolsets: string): TokenCost {
  const view = viewOf({ toolsets }, 'all')
  const definitions = definitionsOf(view.tools, view)
  const byTool = definitions
    .map(tool => ({ name: tool.name, model: tokensOf(modelView(tool)), wire: tokensOf(tool) }))
    .sort((a, b) => b.model - a.model)
  return {
    tools: definitions.length,
    model: tokensOf(definitions.map(modelView)),
    wire: tokensOf(definitions),
    byTool,
  }
}

/** What is measured, its tokens, and the most that it may have. */
type Measured = readonly [what: string, tokens: number, most: number]

/** What of a toolset's list is over its budget, a line each; none when all is within (mcp 7.6). */
export function overBudget(toolsets: string, cost: TokenCost): string[] {
  const budget = budgets[toolsets]
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
  const wires = byTool.map(tool => tool.wire)
  const { model, wire } = toolBudgets
  return [
    ['median of the model view', percentile(models, 0.5), model.median],
    ['95 % of the model view', percentile(models, 0.95), model.most],
    ['dearest tool for a model', Math.max(...models), model.max],
    ['median of the wire', percentile(wires, 0.5), wire.median],
    ['dearest tool on the wire', Math.max(...wires), wire.max],
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

/** The value that a share of the sorted values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
}
