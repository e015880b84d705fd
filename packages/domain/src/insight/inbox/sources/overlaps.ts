import { BoardScopes, boardsHeldOn, type Pair, seenByA } from '../../../delivery/scopes/overlaps.ts'
import { ownReservations } from '../../../delivery/scopes/store.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import type { Db } from '../../../schema/database.ts'
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

/** Whether an overlap has a card on neither side, so that it is about no card. */
const isOfReservations = ({ a, b }: Pair): boolean => a.kind !== 'card' && b.kind !== 'card'

/** The caller's overlaps on these boards that it has not dismissed. */
async function ownOverlaps(
  ctx: Context,
  boards: readonly string[],
  { boardsOf, isIncluded }: Overlaps,
): Promise<Own[]> {
  const { id: agent } = ctx.caller
  const heldBoards = new Set((await boardsOf(ctx.db, { agent, now: ctx.now() })).map(({ board_id }) => board_id))
  const found: Own[] = []
  for (const board of boards.filter(id => heldBoards.has(id))) {
    const pairs = (await BoardScopes.read(ctx, board)).pairsOfAgent(agent)
    found.push(...pairs.filter(isIncluded).map(pair => ownOf(pair, board)))
  }
  if (found.length === 0) return []
  const dismissed = new Set((await dismissals(ctx.db, { agent })).map(({ source }) => source))
  return found.filter(({ source }) => !dismissed.has(source))
}

function ownOf(pair: Pair, board: string): Own {
  const { since } = seenByA(pair)
  const record = [pair.b, pair.a].find(({ kind }) => kind === 'card')?.id ?? board
  return { source: `${pair.a.id}.${pair.b.id}.${Date.parse(since)}`, record, board, since, pair }
}

/** What a caller can do about an overlap. */
type Call = Pick<ItemDetails, 'operation' | 'arguments'>

function shownOf({ pair }: Own, call: Call): ItemDetails {
  const { ref, ...other } = seenByA(pair)
  const data = { ...(ref !== undefined && { ref }), ...other }
  return { actor_id: pair.b.agent_id, actor_name: pair.b.agent_name, data, ...call }
}

/** The overlaps that one source has: those of cards, or of reservations alone. */
interface Overlaps extends Pick<Source, 'about'> {
  /** The boards on which an agent may have such an overlap. */
  readonly boardsOf: (
    db: Db,
    holder: { agent: string; now: string },
  ) => Promise<readonly { readonly board_id: string }[]>
  readonly isIncluded: (pair: Pair) => boolean
  readonly call: (own: Own, caller: Context['caller']) => Call
}

const sourceOf = (overlap: Overlaps): Source => ({
  kind: 'overlap',
  about: overlap.about,
  isOpen: access =>
    access.allows('CARDS_READ') && (overlap.about === 'board' || mayCall(access, { operation: 'ask_question' })),
  find: async (ctx, boards: readonly Access[]) =>
    (await ownOverlaps(ctx, boardIdsOf(boards), overlap)).map(({ pair, ...found }) => found),
  show: async (ctx, page) => {
    const own = await ownOverlaps(ctx, [...new Set(page.map(({ board }) => board))], overlap)
    return new Map(own.map(each => [each.source, shownOf(each, overlap.call(each, ctx.caller))]))
  },
})

/** Paths of the caller that somebody else works on too, from the beginning of the overlap to its end (harness 5.4). */
export const overlaps: readonly Source[] = [
  sourceOf({
    about: 'card',
    boardsOf: boardsHeldOn,
    isIncluded: pair => !isOfReservations(pair),
    call: ({ pair }) => ({ operation: 'ask_question', arguments: { record: pair.b.ref ?? pair.a.ref } }),
  }),
  sourceOf({
    about: 'board',
    boardsOf: ownReservations,
    isIncluded: isOfReservations,
    call: ({ board }, { id }) => ({ operation: 'list_overlaps', arguments: { board_id: board, agent_id: id } }),
  }),
]
