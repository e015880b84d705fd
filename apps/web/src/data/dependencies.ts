import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

/** A card and another that it waits for. */
export type Dependency = Pick<
  Awaited<ReturnType<typeof client.listBoardDependencies>>['items'][number],
  'card_id' | 'depends_on_id'
>

/** Which cards of a board wait for which (cards 6). */
export const useDependencies = (boardId: string) =>
  useQuery({
    queryKey: keys.list(boardId, 'dependencies'),
    queryFn: async (): Promise<readonly Dependency[]> =>
      (await client.listBoardDependencies({ board_id: boardId })).items,
  })
