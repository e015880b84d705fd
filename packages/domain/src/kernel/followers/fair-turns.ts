import { AgentSlots } from '../agent-slots.ts'

/** Runs work when its owner's turn comes. */
export type InTurn = <Value>(owner: string, work: () => Promise<Value>) => Promise<Value>

/** Slots of which one board or person gets at most half; work waits indefinitely for one (walls 7). */
export const fairSlots = (count: number, label: string): AgentSlots =>
  new AgentSlots({ ofABoard: count / 2, ofAll: count, maxWaitMs: Number.POSITIVE_INFINITY, label })

/** Runs a few pieces of background work at once, by turns; work whose turn comes after the stop throws. */
export function fairTurns(count: number, label: string, stop: AbortSignal): InTurn {
  const slots = fairSlots(count, label)
  return (owner, work) =>
    slots.run({ boardId: owner }, async () => {
      stop.throwIfAborted()
      return work()
    })
}
