import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

export type View = Awaited<ReturnType<typeof client.listViews>>['items'][number]

/** The views of a board that the person sees; empty without a board. */
export const useViews = (boardId: string | undefined) =>
  useQuery({
    queryKey: keys.list(boardId ?? '', 'views'),
    queryFn: async () => (await client.listViews({ board_id: boardId!, limit: 200 })).items,
    enabled: boardId !== undefined,
  })
