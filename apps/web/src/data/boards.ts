import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

export type BoardListItem = Awaited<ReturnType<typeof client.listBoards>>['items'][number]

/** The boards that the person sees. */
export const useBoards = (isEnabled = true) =>
  useQuery({
    queryKey: keys.boards,
    queryFn: async () => (await client.listBoards()).items,
    enabled: isEnabled,
  })

/** A board by the key in the address; undefined until the boards are read, null when there is none. */
export function useBoardByKey(key: string) {
  const { data } = useBoards()
  return data === undefined ? undefined : (data.find(board => board.key === key.toUpperCase()) ?? null)
}

/** The names of who is on a board or is named in its records, by id. */
export const useNames = (boardId: string) =>
  useQuery({
    queryKey: keys.list(boardId, 'names'),
    queryFn: async () => {
      const { items } = await client.listBoardMembers({ board_id: boardId, all: true })
      return new Map(items.map(member => [member.id, member.name]))
    },
  })

export type SpecListItem = Awaited<ReturnType<typeof client.listSpecs>>['items'][number]

/** The specs of a board. */
export const useSpecs = (boardId: string) =>
  useQuery({
    queryKey: keys.list(boardId, 'spec'),
    queryFn: async () => (await client.listSpecs({ board_id: boardId, include_standing: true })).items,
  })

/** The sprints of a board. */
export const useSprints = (boardId: string) =>
  useQuery({
    queryKey: keys.list(boardId, 'sprint'),
    queryFn: async () => (await client.listBoardSprints({ board_id: boardId })).items,
  })

/** Says the name of an agent of a board; what is no agent's id is a name already. Says nothing until the names are read. */
export function useNameOf(boardId: string): (id: string) => string {
  const { data } = useNames(boardId)
  return id => (data === undefined ? '' : (data.get(id) ?? id))
}
