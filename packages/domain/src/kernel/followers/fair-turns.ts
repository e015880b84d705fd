import { AgentSlots } from '../agent-slots.ts'

/** Runs work when its owner's turn comes. */
export type InTurn = <Value>(whose: string, work: () => Promise<Value>) => Promise<Value>

/** Slots of which one board or person gets at most half; work waits indefinitely for one (walls 7). */
export const fairSlots = (count: number, what: string): AgentSlots =>
  new AgentSlots({ ofABoard: count / 2, ofAll: count, maxWaitMs: Number.POSITIVE_INFINITY, what })

/** Runs a few pieces of background work at once, by turns; work whose turn comes after the stop throws. */
export function fairTurns(count: number, what: string, stop: AbortSignal): InTurn {
  const slots = fairSlots(count, what)
  return (whose, work) =>
    slots.run({ boardId: whose }, async () => {
      stop.throwIfAborted()
      return work()
    })
}
