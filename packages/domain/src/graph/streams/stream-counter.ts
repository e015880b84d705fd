/** The most streams that one agent may hold open. */
const maxStreams = 20

/** Counts the open event streams of each agent. */
export class StreamCounter {
  readonly #open = new Map<string, number>()

  /** Opens a stream; returns the function that closes it, or null when the agent has too many. */
  open(agentId: string): (() => void) | null {
    const count = this.#open.get(agentId) ?? 0
    if (count >= maxStreams) return null
    this.#open.set(agentId, count + 1)
    let closed = false
    return () => {
      if (closed) return
      closed = true
      const left = this.#open.get(agentId)! - 1
      if (left === 0) this.#open.delete(agentId)
      else this.#open.set(agentId, left)
    }
  }
}
