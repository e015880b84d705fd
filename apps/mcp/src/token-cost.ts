import { definitionsOf, type ToolDefinition } from './tools/definitions.ts'
import { viewOf } from './tools/view.ts'

/** The cost of a list of tools, in tokens. */
export interface TokenCost {
  readonly tools: number
  /** Name, description and input schema: what hosts pass to a model. */
  readonly model: number
  /** The complete tool objects as sent. */
  readonly wire: number
  /** Each tool's share of the model view, most expensive first. */
  readonly byTool: readonly { readonly name: string; readonly model: number; readonly wire: number }[]
}

/**
 * Characters of minified JSON per token of the encoding `o200k_base`: the lists of all views have more, both complete
 * and as hosts pass them to a model, so that none has more tokens than this estimate; a test counts them.
 */
const charactersInToken = { model: 4.16, wire: 4.12 } as const

/** The estimated tokens of a value, without a tokenizer. */
export const tokensOf = (value: unknown, form: keyof typeof charactersInToken = 'wire'): number =>
  Math.ceil(JSON.stringify(value).length / charactersInToken[form])

/** What hosts pass to a model for a tool. */
export const modelView = ({ name, description, inputSchema }: ToolDefinition) => ({ name, description, inputSchema })

/** The cost of a toolset's view for a key that may do everything. */
export function costOf(toolsets: string): TokenCost {
  const view = viewOf({ toolsets }, 'all')
  const definitions = definitionsOf(view.tools, view)
  const byTool = definitions
    .map(tool => ({ name: tool.name, model: tokensOf(modelView(tool), 'model'), wire: tokensOf(tool) }))
    .sort((a, b) => b.model - a.model)
  return {
    tools: definitions.length,
    model: tokensOf(definitions.map(modelView), 'model'),
    wire: tokensOf(definitions),
    byTool,
  }
}

/** The value that a share of the sorted values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
}
