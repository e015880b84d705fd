/** The most streams that one agent may hold open; with one more, its oldest ends. */
const mostOfAgent = 32

/** The most streams of all agents. */
const mostInAll = 2_000

/** Counts what agents hold open, event streams or waiting calls, by agent (trust 1). */
export class StreamCounter {
  readonly #open = new Map<string, Set<() => void>>()
  #count = 0

  /**
   * Opens a stream.
   * @param end ends the stream; called when it is the oldest of an agent that opens one too many
   * @returns the function that closes it again; null when there are too many streams in all
   */
  open(agentId: string, end: () => void): (() => void) | null {
    if (this.#count >= mostInAll) return null
    const streams = this.#open.get(agentId) ?? new Set()
    // A set keeps the order in which its members came.
    const [oldest] = streams
    if (streams.size >= mostOfAgent && oldest !== undefined) {
      this.#close(agentId, oldest)
      oldest()
    }
    const stream = () => end()
    this.#open.set(agentId, streams)
    streams.add(stream)
    this.#count++
    return () => this.#close(agentId, stream)
  }

  #close(agentId: string, stream: () => void): void {
    const streams = this.#open.get(agentId)
    if (streams?.delete(stream) !== true) return
    this.#count--
    if (streams.size === 0) this.#open.delete(agentId)
  }
}
