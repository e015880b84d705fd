import type {
  CardPriority as CardPrioritySchema,
  CardStatus as CardStatusSchema,
  CardSummary as CardSummarySchema,
} from '@specboard/contract'
import type { z } from 'zod'

export type CardSummary = z.output<typeof CardSummarySchema>
export type CardStatus = z.output<typeof CardStatusSchema>
export type CardPriority = z.output<typeof CardPrioritySchema>

/** The columns of a board, in order. */
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

const placeOf = ({ status, position }: CardSummary): string => `${status} ${position}`

/** Whether a text is a card status. */
export const isCardStatus = (status: string): status is CardStatus =>
  cardStatuses.some(candidate => candidate === status)

/** Whether a card blocks the cards that depend on it. */
export const isOpen = ({ status }: Pick<CardSummary, 'status'>): boolean => status !== 'done' && status !== 'cancelled'

/**
 * The cards of a board with some of them updated; those that were not found are removed. Undefined if others have moved
 * too: a card put in another's place moves all cards below it (cards 4.6), so the whole list must be read.
 */
export function withReadAgain(
  cards: readonly CardSummary[],
  ids: ReadonlySet<string>,
  found: readonly CardSummary[],
): CardSummary[] | undefined {
  const now = new Map(found.map(card => [card.id, card]))
  const before = new Map(cards.map(card => [card.id, card]))
  const occupied = new Set(cards.filter(({ id }) => !ids.has(id)).map(placeOf))
  const hasMoved = (card: CardSummary): boolean => {
    const old = before.get(card.id)
    return old === undefined || placeOf(old) !== placeOf(card)
  }
  if (found.some(card => hasMoved(card) && occupied.has(placeOf(card)))) return undefined
  const updated = cards.flatMap(card => (ids.has(card.id) ? (now.get(card.id) ?? []) : card))
  return [...updated, ...found.filter(({ id }) => !before.has(id))]
}

/** The cards that started or stopped blocking others; undefined if one of them is gone. */
export function opennessChanged(
  cards: readonly CardSummary[],
  ids: ReadonlySet<string>,
  found: readonly CardSummary[],
): readonly CardSummary[] | undefined {
  const now = new Map(found.map(card => [card.id, card]))
  const previous = cards.filter(({ id }) => ids.has(id))
  if (previous.some(card => isOpen(card) && !now.has(card.id))) return undefined
  return previous.flatMap(card => {
    const current = now.get(card.id)
    return current !== undefined && isOpen(current) !== isOpen(card) ? current : []
  })
}

/** When the first live claim of some cards expires; undefined if none has a live claim. */
export function firstExpiry(cards: readonly CardSummary[]): number | undefined {
  const times = cards.flatMap(({ claim }) => (claim === null ? [] : Date.parse(claim.expires_at)))
  return times.length === 0 ? undefined : Math.min(...times)
}
