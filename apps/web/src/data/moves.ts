import { ClientError } from '@specboard/client/calls'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { CardStatus } from './cards.ts'
import { keys } from './keys.ts'

/** A gate that is closed: the detail of its refusal. */
export interface MoveBlocker {
  readonly error: string
  readonly message: string
}

/** What may be done, and what stands in the way (board 3). */
export interface Prospect {
  readonly state: 'forbidden' | 'blocked' | 'asks' | 'open'
  /** Fields that it asks for. */
  readonly asks: readonly string[]
  readonly blockers: readonly MoveBlocker[]
  readonly effects: readonly string[]
  readonly permission?: string
}

export interface AllowedMove extends Prospect {
  readonly to: CardStatus
}

export interface AllowedOperation extends Prospect {
  readonly operation: string
}

export interface AllowedMoves {
  readonly status: CardStatus
  readonly moves: readonly AllowedMove[]
  readonly operations: readonly AllowedOperation[]
}

async function readMoves(kind: string, id: string, to?: string): Promise<AllowedMoves> {
  const response = await fetch(`/api/v1/moves/${kind}/${encodeURIComponent(id)}${to === undefined ? '' : `?to=${to}`}`)
  if (!response.ok) throw new ClientError('get_allowed_moves', response.status, (await response.json()).detail)
  return response.json()
}

/** How long an answer may be shown while another is read, ms: gates depend on other records, whose events do not tell. */
const freshMs = 2_000

/** What may be done with a record now. */
export const allowedMoves = (kind: string, id: string) =>
  queryOptions({
    queryKey: keys.part(kind, id, 'moves'),
    queryFn: () => readMoves(kind, id),
    staleTime: freshMs,
  })

/** Whether a record that has just been moved can go back without asking for anything or losing anything. */
export async function canGoBack(kind: string, id: string, to: string): Promise<boolean> {
  const { moves } = await readMoves(kind, id, to)
  return moves[0]?.state === 'open' && moves[0].effects.length === 0
}

/** Begins to read what is allowed, before it is needed. */
export const foreseeMoves = (queries: QueryClient, kind: string, id: string): void =>
  void queries.prefetchQuery(allowedMoves(kind, id))
