import type { AnyOperation } from '@specboard/contract'
import type { Context } from '../context.ts'
import { checkGuideline } from '../guidelines/reach.ts'

/** Refuses what the caller of an operation cannot see. */
export type VisibilityCheck = (ctx: Context, id: string, operation: AnyOperation) => Promise<void>

/**
 * Records without a board that a path names, by parameter: each check throws NOT_FOUND for what the caller
 * cannot see, before permissions are asked.
 */
export const ownVisibility: Readonly<Record<string, VisibilityCheck>> = {
  guideline_id: checkGuideline,
}
