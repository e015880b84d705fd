import type { Effect } from '@specboard/contract'

/** What a caller may assume about a tool; all four are always stated (mcp 7.7). */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

const row = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean): ToolAnnotations => ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint: false,
})

/** The annotations of a tool by the effect of its operation. */
export const toolAnnotations: Readonly<Record<Effect, ToolAnnotations>> = {
  read: row(true, false, true),
  live: row(true, false, false),
  destructive: row(false, true, true),
  destructive_once: row(false, true, false),
  repeatable: row(false, false, true),
  once: row(false, false, false),
}
