import { sql } from 'kysely'
import { type Holder, type Member, membersOf } from '../../../kernel/access/holders.ts'
import type { Context } from '../../../kernel/context.ts'
import { BaseResolver } from '../../../kernel/service/authenticate.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { hot } from '../../../schema/hot.ts'
import { stuckAfterMs, type WaitingItem } from '../rules.ts'
import { isAsked, recordsOf, type Selection } from '../source.ts'
import { type Step, settlingOf, type tableOf } from './steps.ts'

interface OwnedRecord {
  id: string
  board_id: string
  assignee_id: string | null
  created_by: string
  updated_at: string
}

const recordsIn = (table: (typeof tableOf)[keyof typeof tableOf]) =>
  hot<Selection, OwnedRecord>(
    (_, param) =>
      sql<OwnedRecord>`select r.id, r.board_id, ${table === 'sprints' ? sql`null` : sql`r.assignee_id`} as assignee_id, r.created_by,
          r.updated_at
        from ${sql.table(table)} r where ${isAsked('r', param)}`,
  )

const owned = {
  ideation: recordsIn('ideations'),
  refinement: recordsIn('refinements'),
  spec: recordsIn('specs'),
  sprint: recordsIn('sprints'),
  card: recordsIn('cards'),
}

const members = new WeakMap<Context, Map<string, Promise<readonly Member[]>>>()

/** The active agents of a board, read once for everything that a call checks about them. */
export function membersOn(ctx: Context, board: string): Promise<readonly Member[]> {
  const byBoard = members.get(ctx) ?? new Map<string, Promise<readonly Member[]>>()
  members.set(ctx, byBoard)
  const found = byBoard.get(board) ?? membersOf(ctx.db, new BaseResolver(), board)
  byBoard.set(board, found)
  return found
}

const isOneOf = (agents: readonly Holder[], name: string | null): name is string =>
  name !== null && agents.some(agent => agent.id === name || agent.name === name)

/** The first of some names that belongs to one of some agents, by id or name. */
export const responsibleOf = (agents: readonly Holder[], names: readonly (string | null)[]): string | undefined =>
  names.find(name => isOneOf(agents, name)) ?? undefined

/** Whether a name is that of the caller. */
export const isCaller = ({ caller }: Context, name: string | undefined): boolean =>
  name === caller.id || name === caller.name

/**
 * The records that the caller is responsible for: as their assignee; as their creator, if the assignee may not take the
 * next step; otherwise as anybody who may. After a day without a change, everybody is responsible (crew 4.3).
 */
export async function responsibilityOfCaller(
  ctx: Context,
  found: readonly WaitingItem[],
  step: Step,
): Promise<readonly WaitingItem[]> {
  if (found.length === 0 || typeof step.call === 'function') return found
  const rows = await owned[step.about](ctx.db, recordsOf(found))
  const byId = new Map(rows.map(row => [row.id, row]))
  const before = new Date(ctx.environment.clock() - stuckAfterMs).toISOString()
  const settling = settlingOf(step, step.call)
  const own: WaitingItem[] = []
  for (const item of found) {
    const row = byId.get(item.record)!
    const agents = (await membersOn(ctx, item.board)).filter(({ access }) => mayCall(access, settling))
    const keeper = responsibleOf(agents, [row.assignee_id, row.created_by])
    if (keeper === undefined || row.updated_at < before || isCaller(ctx, keeper)) own.push(item)
  }
  return own
}

/** A card that needs rework, with the agents that may be responsible for it. */
type ToRework = WaitingItem & { readonly assignee_id: string | null; readonly moved_by: string }

/**
 * The cards in `validation` that the caller should rework (crew 4.4): as their assignee; as whoever moved them there,
 * if no assignee may; otherwise as anybody who may.
 */
export async function reworkedByCaller(ctx: Context, cards: readonly ToRework[]): Promise<readonly WaitingItem[]> {
  const own: WaitingItem[] = []
  for (const { assignee_id, moved_by, ...card } of cards) {
    const may = (await membersOn(ctx, card.board)).filter(
      ({ id, access }) => access.allows('CARDS_READ') && (id === moved_by || access.allows('CARDS_MOVE_IN_PROGRESS')),
    )
    const worker = responsibleOf(may, [assignee_id, moved_by])
    const isOwn = worker === undefined ? may.some(({ id }) => id === ctx.caller.id) : isCaller(ctx, worker)
    if (isOwn) own.push(card)
  }
  return own
}
