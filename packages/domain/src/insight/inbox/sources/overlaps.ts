import { BoardScopes, boardsHeldOn, type Pair, seenByA } from '../../../delivery/scopes/overlaps.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { hot } from '../../../schema/hot.ts'
import type { WaitingItem } from '../rules.ts'
import { boardIdsOf, type ItemDetails, type Source } from '../source.ts'

/** An overlap of the caller, as the caller sees it. */
interface Own extends WaitingItem {
  readonly pair: Pair
}

const dismissals = hot<{ agent: string }, { source: string }>((db, param) =>
  db.selectFrom('overlap_dismissals').select('source').where('agent_id', '=', param('agent')),
)

/** The caller's overlaps on these boards, without those that it has dismissed and those with no card on either side. */
async function ownOverlaps(ctx: Context, boards: readonly string[]): Promise<Own[]> {
  const { id: agent } = ctx.caller
  const heldBoards = new Set((await boardsHeldOn(ctx.db, { agent, now: ctx.now() })).map(({ board_id }) => board_id))
  const found: Own[] = []
  for (const board of boards.filter(id => heldBoards.has(id))) {
    for (const pair of (await BoardScopes.read(ctx, board)).pairsOfAgent(agent)) found.push(...ownOf(pair, board))
  }
  if (found.length === 0) return []
  const dismissed = new Set((await dismissals(ctx.db, { agent })).map(({ source }) => source))
  return found.filter(({ source }) => !dismissed.has(source))
}

function ownOf(pair: Pair, board: string): Own[] {
  const { since } = seenByA(pair)
  const record = [pair.b, pair.a].find(({ kind }) => kind === 'card')?.id
  return record === undefined
    ? []
    : [{ source: `${pair.a.id}.${pair.b.id}.${Date.parse(since)}`, record, board, since, pair }]
}

const shownOf = ({ pair }: Own): ItemDetails => {
  const { ref, ...other } = seenByA(pair)
  const data = { ...(ref !== undefined && { ref }), ...other }
  const by = { actor_id: pair.b.agent_id, actor_name: pair.b.agent_name, data }
  return { ...by, operation: 'ask_question', arguments: { record: ref ?? pair.a.ref } }
}

/** Paths of the caller that somebody else works on too, from the beginning of the overlap to its end (harness 5.4). */
export const overlaps: Source = {
  kind: 'overlap',
  about: 'card',
  isOpen: access => access.allows('CARDS_READ') && mayCall(access, { operation: 'ask_question' }),
  find: async (ctx, boards: readonly Access[]) =>
    (await ownOverlaps(ctx, boardIdsOf(boards))).map(({ pair, ...found }) => found),
  show: async (ctx, page) => {
    const own = await ownOverlaps(ctx, [...new Set(page.map(({ board }) => board))])
    return new Map(own.map(each => [each.source, shownOf(each)]))
  },
}
