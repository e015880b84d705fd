import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client } from './client.ts'
import { keys } from './keys.ts'
import { shownName } from './shown-name.ts'

export type BoardListItem = Awaited<ReturnType<typeof client.listBoards>>['items'][number]

/** The boards that the person sees. */
export const useBoards = (isEnabled = true) =>
  useQuery({
    queryKey: keys.boards,
    queryFn: async () => (await client.listBoards()).items,
    enabled: isEnabled,
  })

/** The keys of the boards that the person sees; the same set object as long as the keys are the same. */
export function useKeysOfBoards(): ReadonlySet<string> {
  const { data: boards = [] } = useBoards()
  const all = boards.map(({ key }) => key).join(' ')
  return useMemo(() => new Set(all.split(' ')), [all])
}

/** A board by the key in the address; undefined until the boards are read, null when there is none. */
export function useBoardByKey(key: string) {
  const { data } = useBoards()
  return data === undefined ? undefined : (data.find(board => board.key === key.toUpperCase()) ?? null)
}

/** The query of the members of a board and of those named in its records. */
export const membersOf = (boardId: string) => ({
  queryKey: keys.list(boardId, 'names'),
  queryFn: async () => (await client.listBoardMembers({ board_id: boardId, all: true })).items,
})

type Member = Awaited<ReturnType<typeof client.listBoardMembers>>['items'][number]

/** The members of a board and those named in its records. */
export const useMembers = (boardId: string) => useQuery(membersOf(boardId))

/** Displayed names by id; an imported name that is merged into somebody shows that person's name (people 1.6). */
function namesOf(items: readonly Member[]): ReadonlyMap<string, string> {
  const names = new Map(items.map(({ id, name }) => [id, shownName(id) === id ? name : shownName(id)]))
  return new Map(items.map(({ id, merged_into }) => [id, names.get(merged_into ?? id) ?? names.get(id)!]))
}

/** The names to choose from, without imported names that are merged into somebody. */
const choosableOf = (items: readonly Member[]): ReadonlyMap<string, string> =>
  namesOf(items.filter(({ merged_into }) => merged_into === undefined))

/** The kind of a member of a board. */
export type PrincipalKind = NonNullable<Member['kind']>

/** Whether a name is a person, an agent or CI; a name with several kinds is left out. */
function kindsOf(items: readonly Member[]): ReadonlyMap<string, PrincipalKind> {
  const kinds = new Map<string, PrincipalKind>()
  const unclear = new Set<string>()
  for (const { name, kind } of items) {
    if (kind === null) continue
    if ((kinds.get(name) ?? kind) !== kind) unclear.add(name)
    kinds.set(name, kind)
  }
  for (const name of unclear) kinds.delete(name)
  return kinds
}

/** The names of the members of a board and of those named in its records, as displayed, by id. */
export const useNames = (boardId: string) => useQuery({ ...membersOf(boardId), select: namesOf })

/** The members of a board and those named in its records, to choose from: names as displayed, by id. */
export const useChoosable = (boardId: string) => useQuery({ ...membersOf(boardId), select: choosableOf })

/** The kinds of the members of a board and of those named in its records, by name. */
export const useKinds = (boardId: string): ReadonlyMap<string, PrincipalKind> | undefined =>
  useQuery({ ...membersOf(boardId), select: kindsOf }).data

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

/**
 * Looks up the name of an agent of a board; a value that is not an agent's id is returned unchanged. Returns nothing
 * until the names are read.
 */
export function useNameOf(boardId: string): (id: string) => string {
  const { data } = useNames(boardId)
  return id => (data === undefined ? '' : shownName(data.get(id) ?? id))
}
