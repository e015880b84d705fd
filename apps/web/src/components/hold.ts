import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useEffect } from 'react'
import { type HeldCall, heldCallsOf, type Outcome } from '../data/held.ts'
import { keys } from '../data/keys.ts'
import { refusalOf } from '../data/refusal.ts'
import { useMe } from '../data/session.ts'
import { messages } from '../messages/messages.ts'
import { toast } from './toast.tsx'

const texts = messages.inbox

/** Holds a call back as long as the toast that tells of it offers to take it back. */
export type Hold = (call: Omit<HeldCall, 'id' | 'at'>, says: string) => void

/** What holds answers back; undefined where they are sent at once. */
export const HoldContext = createContext<Hold | undefined>(undefined)

/** What happens when a call was sent: the inbox is read again, and a refusal is told. */
const outcomeIn = (queries: QueryClient): Outcome => ({
  onDone: () => queries.invalidateQueries({ queryKey: keys.inbox }),
  onRefused: error => toast(texts.notSent(refusalOf(error).message)),
})

/** Sends what was held, where a page is left or was closed. Used once, by the shell. */
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

/** An id of its own for a call; pages without TLS have no `crypto.randomUUID`. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/** Holds calls until their toast is gone: it was closed, its time is over, or something else was settled. */
export function useHold(): Hold {
  const queries = useQueryClient()
  const { agent_id } = useMe()
  return useCallback<Hold>(
    (given, says) => {
      const calls = heldCallsOf(agent_id)
      const call = { id: newId(), at: Date.now(), ...given }
      calls.hold(call)
      const undo = () => {
        if (!calls.takeBack(call)) toast(texts.sentAlready)
      }
      toast(says, undo, () => calls.send(call, outcomeIn(queries)))
    },
    [queries, agent_id],
  )
}
