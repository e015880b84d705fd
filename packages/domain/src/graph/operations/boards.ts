import type { Permission } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'

/**
 * Checks access to a board that a query or body refers to: it must be visible, and the caller must have the permission
 * there.
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
export async function onBoard(ctx: Context, boardId: string, permission: Permission): Promise<void> {
  const { access } = await ctx.reach('board', boardId)
  access.require([permission])
}
