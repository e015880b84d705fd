import type { Permission } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'

/**
 * Settles access to a board that a query or body names: it is visible, and the permission holds there.
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
export async function onBoard(ctx: Context, boardId: string, permission: Permission): Promise<void> {
  const { access } = await ctx.reach('board', boardId)
  access.require([permission])
}
