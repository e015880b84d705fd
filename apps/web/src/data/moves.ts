import type { AllowedMoves as AllowedMovesSchema } from '@specboard/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { messages } from '../messages/messages.ts'
import { type CardStatus, cardStatuses } from './cards.ts'
import { client } from './client.ts'
import { keys } from './keys.ts'
import { type Refusal, refusalOfDetail } from './refusal.ts'

export type AllowedMoves = z.output<typeof AllowedMovesSchema>

/** A move, and what blocks it (board 3). */
export type AllowedMove = AllowedMoves['moves'][number]

/**
 * How long a response may be shown while it is read again, ms: gates depend on other records, whose events do not
 * mention them.
 */
const freshMs = 2_000

/** The actions on a record that are allowed now. */
export const allowedMoves = (kind: string, id: string) =>
  queryOptions({
    queryKey: keys.part(kind, id, 'moves'),
    queryFn: () => client.getAllowedMoves({ entity_type: kind, entity_id: id, holders: true }),
    staleTime: freshMs,
  })

/** A move of a card. */
export type CardMove = AllowedMove & { readonly to: CardStatus }

const isCardMove = (move: AllowedMove): move is CardMove => cardStatuses.some(status => status === move.to)

/** Card moves under way, by card id. */
const underWay = new Map<string, Promise<unknown>>()

/**
 * Moves a card. Its allowed moves are read after that, even if somebody opens the menu in the meantime.
 * @throws ClientError if the service refuses it
 */
export async function makeMove(queries: QueryClient, move: Parameters<typeof client.moveCard>[0]): Promise<void> {
  const { card_id: id } = move
  const request = client.moveCard(move)
  underWay.set(id, request)
  // The old data stays until it is read again, so that no focused element disappears.
  const { queryKey } = cardMoves(id)
  queries.removeQueries({ queryKey, type: 'inactive' })
  void queries.invalidateQueries({ queryKey })
  try {
    await request
  } finally {
    if (underWay.get(id) === request) underWay.delete(id)
  }
}

/** The actions on a card that are allowed now. */
export const cardMoves = (id: string) =>
  queryOptions({
    queryKey: keys.part('card', id, 'moves'),
    queryFn: async () => {
      await underWay.get(id)?.catch(() => undefined)
      const { moves, operations } = await client.getAllowedMoves({ entity_type: 'card', entity_id: id, holders: true })
      return { moves: moves.filter(isCardMove), operations }
    },
    staleTime: freshMs,
  })

/** Whether a record that has just been moved can go back without a form and without losing anything. */
export async function canGoBack(kind: string, id: string, to: AllowedMove['to']): Promise<boolean> {
  const { moves } = await client.getAllowedMoves({ entity_type: kind, entity_id: id, to })
  return moves[0]?.state === 'open' && moves[0].effects.length === 0
}

/** Prefetches the allowed moves of a card. */
export const prefetchMoves = (queries: QueryClient, id: string): void => void queries.prefetchQuery(cardMoves(id))

/** Parts of a record that depend on other records, whose events do not mention them. */
const related: ReadonlySet<unknown> = new Set(['moves', 'dependencies', 'dependents', 'proof'])

/** Refreshes the shown parts of records that depend on other records: gates, dependencies, proof. */
export const refreshRelated = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey: [first, , , part] }) => first === 'record' && related.has(part) })

/** Whether a move cannot be made now, whatever is sent with it. */
export const isRefused = ({ state }: Pick<AllowedMove, 'state'>): boolean =>
  state === 'blocked' || state === 'forbidden'

/**
 * Why a move is not open, in a few words: what is missing and who may make it, or what it asks for. Undefined if it is
 * open.
 */
export function noteOf(move: AllowedMove): string | undefined {
  if (move.state === 'open') return undefined
  if (move.state === 'asks') return messages.board.asksFor
  const { message, heldBy } = refusalOfMove(move)
  return heldBy.length === 0 ? message : `${message}. ${messages.permissions.heldBy(heldBy)}`
}

/** Everything that a closed move is missing, as one refusal. */
export function refusalOfMove({
  state,
  blockers,
  permission,
  held_by,
}: Pick<AllowedMove, 'state' | 'blockers' | 'permission' | 'held_by'>): Refusal {
  if (state === 'forbidden')
    return {
      code: 'FORBIDDEN',
      message: messages.permissions.lacks(permission ?? ''),
      missing: [],
      heldBy: (held_by ?? []).map(({ name }) => name),
      nextActions: [],
    }
  const refusals = blockers.map(blocker => refusalOfDetail(blocker))
  return {
    code: refusals[0]?.code ?? '',
    message: refusals.map(({ message }) => message).join(' '),
    missing: refusals.flatMap(({ missing }) => missing),
    heldBy: [],
    nextActions: refusals.flatMap(({ nextActions }) => nextActions),
  }
}
