import type { Card as CardSchema } from '@specboard/contract'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { z } from 'zod'
import { type CardSummary, firstExpiry, opennessChanged, withReadAgain } from './card-list.ts'
import { client } from './client.ts'
import { keys } from './keys.ts'
import { readTagged, showRead } from './tagged.ts'

export {
  type CardPriority,
  type CardStatus,
  type CardSummary,
  cardPriorities,
  cardStatuses,
  isCardStatus,
} from './card-list.ts'
export type Card = z.output<typeof CardSchema>

const cardsKey = (boardId: string) => keys.list(boardId, 'card')

const readCards = async (boardId: string, ids?: Iterable<string>): Promise<CardSummary[]> =>
  (await client.listCards({ board_id: boardId, ...(ids !== undefined && { ids: [...ids].join(',') }) })).items

/** All cards of a board, in the order of its columns: pages filter them locally, without requests. */
export function useCards(boardId: string) {
  const queries = useQueryClient()
  const cards = useQuery({ queryKey: cardsKey(boardId), queryFn: () => readCards(boardId) })
  const expiry = firstExpiry(cards.data ?? [])
  useEffect(() => {
    if (expiry === undefined) return
    // No event says that a claim has expired.
    const timer = setTimeout(() => void refreshAllCards(queries, boardId), Math.max(expiry - Date.now(), 0) + expiredMs)
    return () => clearTimeout(timer)
  }, [queries, boardId, expiry])
  return cards
}

/** How long after a claim expires its card is read again, ms: clocks differ. */
const expiredMs = 1_000

/** A card as it was read, with its ETag, which makes edits conditional. */
export interface ReadCard {
  readonly card: Card
  readonly tag: string
}

export async function readCard(cardId: string): Promise<ReadCard> {
  const { answer: card, tag } = await readTagged(options => client.getCard({ card_id: cardId }, options))
  return { card, tag }
}

/** A card with everything on it, by its id or reference. */
export const useCard = (idOrRef: string) =>
  useQuery({ queryKey: keys.record('card', idOrRef), queryFn: () => readCard(idOrRef) })

/** Shows a card as it has just been read, everywhere. */
export const rememberCard = (queries: QueryClient, read: ReadCard): void => showRead(queries, 'card', read.card, read)

/** Reads a card and everything that belongs to it again, wherever it is shown. */
export async function refreshCard(queries: QueryClient, { id, ref }: Pick<Card, 'id' | 'ref'>): Promise<void> {
  await Promise.all([id, ref].map(name => queries.invalidateQueries({ queryKey: keys.record('card', name) })))
}

/** Up to this many cards are read again one by one; for more, the whole board is read. */
const maxReadOneByOne = 100

/** Reads all cards of a board again, where it is shown. */
export const refreshAllCards = (queries: QueryClient, boardId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: cardsKey(boardId), exact: true })

/** The last read of each board: reads run one after another, so that no older response replaces a newer one. */
const turns = new Map<string, Promise<void>>()

/** Reads cards of a board again, and those that depend on them, where the board is shown. */
export function refreshCards(queries: QueryClient, boardId: string, ids: ReadonlySet<string>): Promise<void> {
  const before = turns.get(boardId) ?? Promise.resolve()
  const turn = before.then(() => readAgain(queries, boardId, ids)).catch(() => refreshAllCards(queries, boardId))
  turns.set(boardId, turn)
  return turn
}

async function readAgain(queries: QueryClient, boardId: string, ids: ReadonlySet<string>): Promise<void> {
  const cachedCards = () => queries.getQueryData<CardSummary[]>(cardsKey(boardId))
  if (ids.size === 0) return
  if (ids.size > maxReadOneByOne || cachedCards() === undefined) return refreshAllCards(queries, boardId)
  const found = await readCards(boardId, ids)
  const cards = cachedCards() ?? []
  const changed = withReadAgain(cards, ids, found)
  const freed = opennessChanged(cards, ids, found)
  if (changed === undefined || freed === undefined) return refreshAllCards(queries, boardId)
  queries.setQueryData(cardsKey(boardId), changed)
  const waiting = await Promise.all(
    freed.map(async ({ id }) => (await client.listCardDependents({ card_id: id })).items),
  )
  return readAgain(queries, boardId, new Set(waiting.flat().map(({ id }) => id)))
}

/** Reads the cards of a spec again, where its board is shown: they include its status and scenarios. */
export function refreshCardsOf(queries: QueryClient, boardId: string, specIds: ReadonlySet<string>): Promise<void> {
  const cards = queries.getQueryData<CardSummary[]>(cardsKey(boardId)) ?? []
  const ids = cards.filter(({ spec_id }) => spec_id !== null && specIds.has(spec_id)).map(({ id }) => id)
  return refreshCards(queries, boardId, new Set(ids))
}

/** The cards in a card's column in manual order, if its board is shown. */
export function shownColumnOf(queries: QueryClient, boardId: string, cardId: string): readonly CardSummary[] {
  const cards = queries.getQueryData<CardSummary[]>(cardsKey(boardId)) ?? []
  const status = cards.find(({ id }) => id === cardId)?.status
  return cards.filter(card => card.status === status).toSorted((one, other) => one.position - other.position)
}

/** Shows a change of a card before the service has answered; returns the function that reverts it. */
export function changeCard(
  queries: QueryClient,
  boardId: string,
  cardId: string,
  change: Partial<CardSummary>,
): () => void {
  const before = queries.getQueryData<CardSummary[]>(cardsKey(boardId))
  queries.setQueryData<CardSummary[]>(cardsKey(boardId), cards =>
    cards?.map(card => (card.id === cardId ? { ...card, ...change } : card)),
  )
  return () => queries.setQueryData(cardsKey(boardId), before)
}
