import type { Permission } from '@specboard/contract'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { messages } from '../messages/messages.ts'
import { client } from './client.ts'
import { keys } from './keys.ts'
import type { AllowedMove } from './moves.ts'
import type { Needs, QuickType } from './needs.ts'
import { useSession } from './session.ts'

/** What the person may do here: on a board, or outside boards. */
export interface Rights {
  readonly boardId: string | null
  /** Undefined until they are read; meanwhile, only the service refuses what is not allowed. */
  readonly flags: Readonly<Record<string, boolean>> | undefined
}

export const RightsContext = createContext<Rights>({ boardId: null, flags: undefined })

/** What the person may do on a board, or outside boards if `boardId` is null. */
export function useRights(boardId: string | null): Rights {
  const { data: session } = useSession()
  const { data } = useQuery({
    queryKey: keys.rights(boardId),
    queryFn: () => client.getMyPermissions(boardId === null ? {} : { board_id: boardId }),
    // The session is read by the same call.
    ...(boardId === null && { initialData: session ?? undefined }),
  })
  const flags = data?.flags
  return useMemo(() => ({ boardId, flags }), [boardId, flags])
}

/** Whether the person has a permission here; counts as held until that is known. */
export function useMay(permission: Permission): boolean {
  const { flags } = useContext(RightsContext)
  return flags === undefined || flags[permission] === true
}

/** Reads again what the person may do, and who else may: on one board, or everywhere. */
export const refreshRights = (queries: QueryClient, boardId?: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: boardId === undefined ? ['rights'] : keys.rights(boardId) })

/**
 * An action that the person may not take: the missing permission, and who has the permissions as far as that is known.
 */
export interface Closure {
  readonly permission: string
  readonly needs: Needs
  readonly heldBy?: readonly string[]
}

/** What get_allowed_moves says about an operation on a record. */
export type Allowance = Pick<AllowedMove, 'state' | 'permission' | 'held_by'>

/** What closes an action to the person; undefined for an open action, and until the rights are read. */
export function useClosure(needs: Needs, allowed?: Allowance): Closure | undefined {
  const { flags } = useContext(RightsContext)
  if (allowed?.state === 'forbidden')
    return { permission: allowed.permission ?? '', needs, heldBy: (allowed.held_by ?? []).map(({ name }) => name) }
  const permission = flags === undefined ? undefined : needs.find(name => flags[name] !== true)
  return permission === undefined ? undefined : { permission, needs }
}

/**
 * Why an action is closed, in words: the missing permission and, once that is read, who has it. Who has it is read only
 * on demand.
 */
export function useReason({ permission, needs, heldBy }: Closure, isAsked: boolean): string {
  const { boardId } = useContext(RightsContext)
  const { data } = useQuery({
    queryKey: [...keys.rights(boardId), 'held by', needs],
    queryFn: () => (boardId === null ? presetsWith(needs) : holdersOf(boardId, needs)),
    enabled: isAsked && heldBy === undefined,
    retry: false,
  })
  const who = heldBy === undefined ? data : wordsOfHolders(heldBy)
  return [messages.permissions.lacks(permission), ...(who === undefined ? [] : [who])].join('. ')
}

const wordsOfHolders = (names: readonly string[]): string =>
  names.length === 0 ? messages.permissions.heldByNobody : messages.permissions.heldBy(names)

/** The members of a board that have all permissions there, the owner first. */
async function holdersOf(board_id: string, needs: Needs): Promise<string> {
  const [first = [], ...others] = await Promise.all(
    needs.map(async may => (await client.listBoardMembers({ board_id, may })).items),
  )
  const holders = first.filter(({ id }) => others.every(members => members.some(member => member.id === id)))
  const owners = holders.filter(({ access }) => access === 'owner')
  return wordsOfHolders([...owners, ...holders.filter(({ access }) => access !== 'owner')].map(({ name }) => name))
}

/** The presets that contain all permissions: outside boards, people are not named. */
async function presetsWith(needs: readonly Permission[]): Promise<string> {
  const { items } = await client.listPresets()
  return messages.permissions.presets(
    items.filter(({ flags }) => needs.every(name => flags[name] === true)).map(({ name }) => name),
  )
}

/** The type of card that the person usually creates: a test, if no other type is allowed. */
export const useCardType = (): QuickType => {
  const mayMakeTests = useMay('CARDS_CREATE_TEST')
  return useMay('CARDS_CREATE') || !mayMakeTests ? 'normal' : 'test'
}
