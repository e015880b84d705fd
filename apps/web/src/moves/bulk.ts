import type { QueryClient } from '@tanstack/react-query'
import { type CardStatus, refreshCard, refreshCards } from '../data/cards.ts'
import { type CardMove, canGoBack, cardMoves, isRefused, makeMove, refusalOfMove } from '../data/moves.ts'
import { type Refusal, refusalOf } from '../data/refusal.ts'
import type { MovedCard } from './move-context.ts'
import type { Report } from './report-form.tsx'

/** A card for which the action was refused, and why. */
export interface RefusedCard {
  readonly card: MovedCard
  readonly refusal: Refusal
}

/** A card whose move waits for a report, with the required fields. */
export interface AskingCard {
  readonly card: MovedCard
  readonly asks: readonly string[]
}

/** The outcome of an action on several cards: each card is in one of the lists. */
export interface Outcome {
  readonly done: readonly MovedCard[]
  readonly asking: readonly AskingCard[]
  readonly refused: readonly RefusedCard[]
}

const nothing: Outcome = { done: [], asking: [], refused: [] }

export const joined = (one: Outcome, other: Outcome): Outcome => ({
  done: [...one.done, ...other.done],
  asking: [...one.asking, ...other.asking],
  refused: [...one.refused, ...other.refused],
})

/** Runs a function for each card in turn, even if it fails for others. */
export async function onEach(
  cards: readonly MovedCard[],
  act: (card: MovedCard) => Promise<unknown>,
): Promise<Outcome> {
  let outcome = nothing
  for (const card of cards) {
    try {
      await act(card)
      outcome = joined(outcome, { ...nothing, done: [card] })
    } catch (error) {
      outcome = joined(outcome, { ...nothing, refused: [{ card, refusal: refusalOf(error) }] })
    }
  }
  return outcome
}

/** How many cards are read at once. */
const askedAtOnce = 6

/** The allowed moves of each card, read six at a time, so that refusals are known before anything is moved. */
async function movesTo(queries: QueryClient, cards: readonly MovedCard[], to: CardStatus) {
  const moves = new Map<MovedCard, CardMove | undefined>()
  const waiting = cards.values()
  const ask = async () => {
    for (const card of waiting) {
      const answer = await queries.fetchQuery(cardMoves(card.id)).catch(() => undefined)
      moves.set(
        card,
        answer?.moves.find(move => move.to === to),
      )
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, ask))
  return moves
}

/** A move of several cards. */
export interface BulkMove {
  readonly to: CardStatus
  /** The position of the first card in the column; the end if undefined. */
  readonly position?: number | undefined
}

/** Moves at once all cards that can move; the others wait for a report, or are refused. */
export async function moveEach(
  queries: QueryClient,
  cards: readonly MovedCard[],
  { to, position }: BulkMove,
): Promise<Outcome> {
  const moves = await movesTo(queries, cards, to)
  let outcome = nothing
  const free: MovedCard[] = []
  for (const card of cards) {
    const move = moves.get(card)
    if (move !== undefined && isRefused(move))
      outcome = joined(outcome, { ...nothing, refused: [{ card, refusal: refusalOfMove(move) }] })
    else if (move?.state === 'asks') outcome = joined(outcome, { ...nothing, asking: [{ card, asks: move.asks }] })
    else free.push(card)
  }
  // Each card is put before the one moved previously, so that they keep their order.
  const inOrder = position === undefined || position === -1 ? free : free.toReversed()
  return joined(outcome, await onEach(inOrder, card => makeMove(queries, moveOf(card, { to, position }))))
}

const moveOf = ({ id }: MovedCard, { to, position }: BulkMove) => ({
  card_id: id,
  target_status: to,
  ...(position !== undefined && { position }),
})

/** Moves cards that were waiting for a report, together with the report. */
export const moveWithReport = (
  queries: QueryClient,
  cards: readonly AskingCard[],
  move: BulkMove,
  reportOf: (card: AskingCard) => Report,
): Promise<Outcome> => {
  const reports = new Map(cards.map(asking => [asking.card, reportOf(asking)]))
  return onEach(
    cards.map(({ card }) => card),
    card => makeMove(queries, { ...moveOf(card, move), ...reports.get(card) }),
  )
}

/** Whether every card can go back to its former status. */
export async function canAllGoBack(cards: readonly MovedCard[]): Promise<boolean> {
  for (const { id, status } of cards) if (!(await canGoBack('card', id, status).catch(() => false))) return false
  return true
}

/** Reads the changed cards again. */
export async function refreshAll(queries: QueryClient, cards: readonly MovedCard[]): Promise<void> {
  await Promise.all(
    Map.groupBy(cards, card => card.board_id)
      .entries()
      .map(([boardId, ofBoard]) => refreshCards(queries, boardId, new Set(ofBoard.map(({ id }) => id)))),
  )
  await Promise.all(cards.map(card => refreshCard(queries, card)))
}
