import { useQueries, useQuery } from '@tanstack/react-query'
import type { BoardListItem } from './boards.ts'
import { client } from './client.ts'
import { keys } from './keys.ts'

export type Worker = Awaited<ReturnType<typeof client.listWorkers>>['items'][number]

/** A worker with its board. */
export interface PlacedWorker {
  readonly board: BoardListItem
  readonly worker: Worker
}

/**
 * How often workers are read while a page shows them, ms: there is no event for somebody being seen or falling silent.
 */
const againMs = 15_000

/** The most workers of a board that are read. */
const most = 200

const workers = (boardId: string) => ({
  queryKey: keys.list(boardId, 'workers'),
  queryFn: async () => (await client.listWorkers({ board_id: boardId, limit: most })).items,
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

/** The cards of a board that wait for others, and for which. */
export const useWaitingCards = (boardId: string) =>
  useQuery({
    queryKey: keys.list(boardId, 'analytics', { blockers: 'dependency_blocked' }),
    queryFn: () => client.getBlockersAnalytics({ board_id: boardId, filter_type: 'dependency_blocked' }),
    retry: false,
  })
