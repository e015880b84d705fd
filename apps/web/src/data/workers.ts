import { useQueries, useQuery } from '@tanstack/react-query'
import type { BoardListItem } from './boards.ts'
import type { Card } from './cards.ts'
import { client } from './client.ts'
import { keys } from './keys.ts'

export type Worker = Awaited<ReturnType<typeof client.listWorkers>>['items'][number]

/** A worker with its board. */
export interface PlacedWorker {
  readonly board: BoardListItem
  readonly worker: Worker
}

/**
 * How often workers are read while a page shows them, ms: no event reports that a worker was seen or has fallen silent.
 */
const againMs = 15_000

/** Maximum number of workers of a board that are read. */
const max = 200

const workers = (boardId: string) => ({
  queryKey: keys.list(boardId, 'workers'),
  queryFn: async () => (await client.listWorkers({ board_id: boardId, limit: max })).items,
  refetchInterval: againMs,
})

/** The workers of some boards; undefined until all of them are read. */
export function useWorkers(boards: readonly BoardListItem[]) {
  const read = useQueries({ queries: boards.map(({ id }) => workers(id)) })
  const error = read.find(({ error }) => error !== null)?.error ?? null
  if (read.some(({ data, error }) => data === undefined && error === null)) return { data: undefined, error }
  const data = read.flatMap(({ data = [] }, index) =>
    data.map((worker): PlacedWorker => ({ board: boards[index]!, worker })),
  )
  return { data, error }
}

/** Workers on the same paths of a board. */
export const useOverlaps = (boardId: string) =>
  useQuery({
    queryKey: keys.list(boardId, 'overlaps'),
    queryFn: async () => (await client.listOverlaps({ board_id: boardId })).items,
    refetchInterval: againMs,
  })

/** Overlapping work, from the perspective of one side. */
export type Overlap = Awaited<ReturnType<typeof client.listOverlaps>>['items'][number]['b']

/**
 * The work that overlaps with a card, or would overlap if work on the card began; if patterns are given, the work that
 * overlaps with those.
 */
export function useOverlapsOf(card: Card, patterns?: string[]): readonly Overlap[] {
  const hasAny = (patterns ?? card.paths).length > 0
  const { data } = useQuery({
    queryKey: keys.list(card.board_id, 'overlaps', { card_id: card.id, patterns }),
    queryFn: () =>
      client.listOverlaps({
        board_id: card.board_id,
        ...(patterns === undefined ? { card_id: card.id } : { paths: patterns }),
      }),
    enabled: hasAny,
    // The service refuses an unfinished pattern, and people who may not read cards.
    retry: false,
  })
  if (data === undefined || !hasAny) return []
  const others = data.items.map(({ a, b }) => (a !== undefined && b.ref === card.ref ? a : b))
  return others.filter(({ ref }) => ref !== card.ref)
}

/** The cards of a board that wait for others, with those others. */
export const useWaitingCards = (boardId: string) =>
  useQuery({
    queryKey: keys.list(boardId, 'analytics', { blockers: 'dependency_blocked' }),
    queryFn: () => client.getBlockersAnalytics({ board_id: boardId, filter_type: 'dependency_blocked' }),
    retry: false,
  })
