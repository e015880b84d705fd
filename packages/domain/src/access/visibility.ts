import type { Context } from '../context.ts'

/**
 * Records without a board that a path names, by parameter: each check throws NOT_FOUND for what the caller
 * cannot see, before permissions are asked.
 */
export const ownVisibility: Readonly<Record<string, (ctx: Context, id: string) => Promise<void>>> = {}
