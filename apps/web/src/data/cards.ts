import type {
  CardPriority as CardPrioritySchema,
  Card as CardSchema,
  CardStatus as CardStatusSchema,
  CardSummary as CardSummarySchema,
} from '@specboard/contract'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { client } from './client.ts'
import { keys } from './keys.ts'

export type Card = z.output<typeof CardSchema>
export type CardSummary = z.output<typeof CardSummarySchema>
export type CardStatus = z.output<typeof CardStatusSchema>
export type CardPriority = z.output<typeof CardPrioritySchema>

/** The columns of a board, in their order. */
export const cardStatuses = [
  'not_started',
  'started',
  'in_progress',
  'validation',
  'on_hold',
  'done',
  'cancelled',
] as const satisfies readonly CardStatus[]

/** Priorities, highest first. */
export const cardPriorities = [
  'critical',
  'very_high',
  'high',
  'medium',
  'low',
  'none',
] as const satisfies readonly CardPriority[]

const cardsKey = (boardId: string) => keys.list(boardId, 'card')

const readCards = async (boardId: string): Promise<CardSummary[]> =>
  (await client.listCards({ board_id: boardId })).items

/** All cards of a board, in the order of its columns: pages filter them themselves, which takes no request. */
export const useCards = (boardId: string) =>
  useQuery({ queryKey: cardsKey(boardId), queryFn: () => readCards(boardId) })

/** A card as it was read, with its tag: an edit says by it what it began from. */
export interface ReadCard {
  readonly card: Card
  readonly tag: string
}

export async function readCard(cardId: string): Promise<ReadCard> {
  let tag = ''
  const answered = (response: Response) => {
    tag = response.headers.get('etag') ?? ''
  }
  const card = await client.getCard({ card_id: cardId }, { answered })
  return { card, tag }
}

/** A card with everything on it, by its id or reference. */
export const useCard = (idOrRef: string) =>
  useQuery({ queryKey: keys.record('card', idOrRef), queryFn: () => readCard(idOrRef) })

/** Shows a card as it has just been read, wherever it is shown. */
export function rememberCard(queries: QueryClient, read: ReadCard): void {
  for (const name of [read.card.id, read.card.ref]) {
    const key = keys.record('card', name)
    if (queries.getQueryData(key) !== undefined) queries.setQueryData(key, read)
  }
}

/** Reads a card again, and all that belongs to it, wherever it is shown. */
export async function refreshCard(queries: QueryClient, { id, ref }: Pick<Card, 'id' | 'ref'>): Promise<void> {
  await Promise.all([id, ref].map(name => queries.invalidateQueries({ queryKey: keys.record('card', name) })))
}

/** Reads cards of a board again, where the board is shown. */
export async function refreshCards(queries: QueryClient, boardId: string, _ids: ReadonlySet<string>): Promise<void> {
  await queries.invalidateQueries({ queryKey: cardsKey(boardId), exact: true })
}

/** Shows a change of a card before the service has answered; answers the function that takes it back. */
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
