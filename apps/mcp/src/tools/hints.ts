import type { Effect } from '@specboard/contract'

/** What a caller may assume about a tool; all four are always stated (mcp 7.7). */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

const row = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean): Hints => ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint: false,
})

/** The hints of each effect. */
export const hints: Readonly<Record<Effect, Hints>> = {
  read: row(true, false, true),
  live: row(true, false, false),
  destructive: row(false, true, true),
  destructive_once: row(false, true, false),
  repeatable: row(false, false, true),
  once: row(false, false, false),
}
