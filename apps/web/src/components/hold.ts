import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useEffect } from 'react'
import { callNamed } from '../data/client.ts'
import { DraftPlace } from '../data/drafts.ts'
import { type HeldCall, heldCallsOf, type Outcome } from '../data/held.ts'
import { keys } from '../data/keys.ts'
import { refusalOf } from '../data/refusal.ts'
import { useMe } from '../data/session.ts'
import { messages } from '../messages/messages.ts'
import { toast } from './toast.tsx'

const texts = messages.inbox

/** Holds a call back as long as its toast offers Undo. */
type Hold = (call: CallToHold, says: string, onAnswer: (answer: unknown) => unknown) => void

type CallToHold = Omit<HeldCall, 'id' | 'at'>

/** What is typed in a form that keeps its draft under a name. */
function typedIn(agentId: string, name: string): object | null {
  const draft = new DraftPlace(agentId, name).read()
  return typeof draft === 'object' ? draft : null
}

/** Holds back calls; undefined where calls are sent at once. */
export const HoldContext = createContext<Hold | undefined>(undefined)

/** After a call was sent: reads the inbox again, and shows a refusal. */
const outcomeIn = (queries: QueryClient): Outcome => ({
  onDone: () => queries.invalidateQueries({ queryKey: keys.inbox }),
  onRefused: error => toast(texts.notSent(refusalOf(error).message)),
})

/** Sends held calls when a page is left or was closed. Used once, by the shell. */
export function useHeldSent(): void {
  const queries = useQueryClient()
  const { agent_id } = useMe()
  useEffect(() => {
    const calls = heldCallsOf(agent_id)
    const outcome = outcomeIn(queries)
    calls.sendLeft(outcome)
    const leave = () => calls.sendOwn(outcome)
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [queries, agent_id])
}

/** A unique id for a call; pages without TLS have no `crypto.randomUUID`. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/** Holds calls until their toast is gone: it was closed, it expired, or another item was settled. */
export function useHold(): Hold {
  const queries = useQueryClient()
  const { agent_id } = useMe()
  return useCallback<Hold>(
    (given, says, onAnswer) => {
      const calls = heldCallsOf(agent_id)
      const draft = given.place === undefined ? given.draft : typedIn(agent_id, given.place)
      const call = { id: newId(), at: Date.now(), ...given, draft }
      calls.hold(call)
      const undo = () => {
        if (!calls.takeBack(call)) toast(texts.sentAlready)
      }
      const outcome = outcomeIn(queries)
      const onDone = async (answer: unknown) => {
        await outcome.onDone(answer)
        await onAnswer(answer)
      }
      toast(says, undo, () => calls.send(call, { ...outcome, onDone }))
    },
    [queries, agent_id],
  )
}

interface Settling {
  /** Whether the call is sent later, when it can no longer be taken back. */
  readonly isHeld: boolean
  /**
   * Makes a call, or holds it back.
   * @param says the text of the toast that offers Undo
   * @param onAnswer called with the answer of the service
   */
  settle(
    call: Omit<CallToHold, 'item' | 'draft'> & Partial<Pick<CallToHold, 'draft'>>,
    says: string,
    onAnswer?: (answer: unknown) => unknown,
  ): Promise<void>
}

/**
 * Settles an inbox item: in the inbox, the call is held back; elsewhere, it is sent at once.
 * @param item the id of the item; undefined if the call settles no item
 */
export function useSettling(item: string | undefined): Settling {
  const queries = useQueryClient()
  const hold = useContext(HoldContext)
  if (item !== undefined && hold !== undefined)
    return {
      isHeld: true,
      settle: async (call, says, onAnswer = () => {}) => hold({ item, draft: null, ...call }, says, onAnswer),
    }
  return {
    isHeld: false,
    async settle({ operation, arguments: given }, _, onAnswer) {
      const answer = await callNamed(operation, given)
      await queries.invalidateQueries({ queryKey: keys.inbox })
      await onAnswer?.(answer)
    },
  }
}
