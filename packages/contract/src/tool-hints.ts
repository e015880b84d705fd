import { z } from 'zod'

/** How the MCP tool list shows a field, in addition to its schema (mcp 7.3, 7.4). */
export interface ToolHint {
  /** Accepted but not listed: an alias, another form of other fields, or an ignored field. */
  readonly hidden?: true
  /** The operation whose fields this object repeats, so that its shape is omitted. */
  readonly like?: string
}

/** Hints by schema: `schema.register(toolHints, { hidden: true })`, last in the chain. */
export const toolHints = z.registry<ToolHint>()

/** A schema whose shape the tool list omits, because an operation documents it. */
export function shownAs<Schema extends z.ZodType>(schema: Schema, like: string): Schema {
  toolHints.add(schema, { like })
  return schema
}
