/** Forge events as they are shown (git 2). */
import type { features, InputOf } from '@specboard/contract'
import type { Context } from '../../../kernel/context.ts'
import { blocked, notFound } from '../../../kernel/errors.ts'
import type { Implementation } from '../../../kernel/implement.ts'
import { updateRow } from '../../../schema/rows.ts'
import { onBoard } from '../../../schema/same-board.ts'
import type { ForgeDeliveriesTable } from '../../../schema/tables.ts'
import { keptSince } from './delivery-store.ts'
import './environment.ts'

type Git = typeof features.git

/** A delivery as callers see it: without its payload. */
const shownDelivery = ({
  board_id: _board,
  repository_id: _repository,
  next_attempt_at: _next,
  payload: _payload,
  seen_by: _seen,
  ...shown
}: ForgeDeliveriesTable) => shown

type DeliveryQuery = InputOf<Git['list_forge_deliveries']>['query']

const columns = [
  'id',
  'board_id',
  'repository_id',
  'delivery_id',
  'event',
  'action',
  'status',
  'reason',
  'received_at',
  'processed_at',
  'attempts',
  'next_attempt_at',
  'repeats',
  'size',
  'changes',
  'links',
] as const

async function listed(ctx: Context, { status, event, limit, offset }: DeliveryQuery) {
  const since = keptSince(ctx.now(), 'delivery')
  const found = ctx.db
    .selectFrom('forge_deliveries')
    .where('repository_id', '=', ctx.target.id)
    .where(onBoard('forge_deliveries', ctx.boardId))
    .where('received_at', '>=', since)
    .$if(status !== undefined, some => some.where('status', '=', status!))
    .$if(event !== undefined, some => some.where('event', '=', event!))
  const rows = await found
    .select(columns)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: rows.map(row => shownDelivery({ ...row, payload: null, seen_by: null })), total: Number(total) }
}

/** list_forge_deliveries (git 2). */
export const listForgeDeliveries: Implementation<Git['list_forge_deliveries']> = ({ query }, ctx) => listed(ctx, query)

/** retry_forge_delivery (git 2): a failed one whose payload still exists is processed again. */
export const retryForgeDelivery: Implementation<Git['retry_forge_delivery']> = async ({ params }, ctx) => {
  const { repository_id, delivery_id } = params
  const [row] = await ctx.db
    .selectFrom('forge_deliveries')
    .selectAll()
    .where('repository_id', '=', repository_id)
    .where(onBoard('forge_deliveries', ctx.boardId))
    .where(eb => eb.or([eb('id', '=', delivery_id), eb('delivery_id', '=', delivery_id)]))
    .execute()
  if (row === undefined) throw notFound('forge_delivery', delivery_id)
  if (row.status !== 'failed')
    throw blocked('INVALID_STATE', `The delivery is ${row.status}. Only a failed one can be retried.`, {
      status: row.status,
    })
  if (row.payload === null)
    throw blocked('INVALID_STATE', 'Its content is no longer stored. Let the forge deliver it again.', {
      status: row.status,
    })
  const changed = {
    status: 'queued' as const,
    reason: null,
    attempts: 0,
    processed_at: null,
    next_attempt_at: ctx.now(),
    received_at: row.received_at,
  }
  await updateRow(ctx.db, 'forge_deliveries', row.id, changed)
  ctx.afterCommit.push(() => ctx.environment.forgeEvents.wake(repository_id))
  return shownDelivery({ ...row, ...changed })
}
