import { z } from 'zod'

/** What the list of MCP tools shows of a field beside what its schema says (mcp 7.3, 7.4). */
export interface ToolHint {
  /** Taken, but not listed: another name of a field, another form of what other fields say, or ignored. */
  readonly hidden?: true
  /** The operation whose fields this object repeats; its shape is not written out. */
  readonly like?: string
}

/** Hints by schema: `schema.register(toolHints, { hidden: true })`, last in the chain. */
export const toolHints = z.registry<ToolHint>()
