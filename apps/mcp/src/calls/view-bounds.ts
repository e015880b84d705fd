import { type AnyOperation, isReading } from '@specboard/contract'
import { type Caller, DomainError, notFound, type Service } from '@specboard/domain'
import { planOf } from '../tools/arguments.ts'
import type { View } from '../tools/view.ts'
import type { Arguments } from './read-arguments.ts'

/**
 * Refuses an operation that the view leaves out (mcp 6).
 * @throws DomainError EXCLUDED, READ_ONLY
 */
export function refuseByView(view: View, operation: AnyOperation): void {
  if (view.excluded.has(operation.name)) {
    throw new DomainError(
      'EXCLUDED',
      `${operation.name} is excluded from this connection. Connect without the exclusion to use it.`,
    )
  }
  if (view.readonly && !isReading(operation)) {
    throw new DomainError(
      'READ_ONLY',
      `${operation.name} writes, and this connection only reads. Connect without readonly to use it.`,
    )
  }
}

/**
 * The arguments, with the board that the view is bound to.
 * @throws DomainError NOT_FOUND when they name another board
 */
export function boundArguments({ boardId }: View, operation: AnyOperation, args: Arguments): Arguments {
  if (boardId === undefined || !planOf(operation).arguments.has('board_id')) return args
  const { board_id } = args
  if (typeof board_id === 'string' && board_id.trim() !== boardId) throw notFound('board', board_id)
  return { ...args, board_id: boardId }
}

/** The arguments, with the id of the board in place of its key, if the view is bound to that board. */
export async function withBoundBoard(
  service: Pick<Service, 'idOf'>,
  caller: Caller,
  { boardId }: View,
  args: Arguments,
): Promise<Arguments> {
  const { board_id } = args
  if (boardId === undefined || typeof board_id !== 'string') return args
  return { ...args, board_id: await service.idOf(caller, 'board', board_id.trim(), boardId) }
}
