import type { Holder } from './holder.ts'

/** What is held open: an event stream, a waiting call, or an MCP stream. */
export type OpenKind = 'events' | 'wait' | 'mcp'

/** Maximum number of each kind that one agent may hold open; opening one more ends the agent's oldest. */
const maxPerAgent = 32

/**
 * Maximum number that an agent and all agents that it made may hold open together; opening one more ends the oldest.
 */
const maxPerFamily = 256

/** Maximum number for all agents together. */
const maxTotal = 2_000

/** Something open: it is counted in several groups, and can be ended. */
interface Open {
  readonly groups: readonly string[]
  readonly end: () => void
}

const ofSession = (session: string): string => `session ${session}`

/** Counts what agents hold open, by agent and by creator (trust 1, walls 4). */
export class StreamCounter {
  /** What is open in each group; a set keeps the order of insertion. */
  readonly #groups = new Map<string, Set<Open>>()
  #count = 0

  /**
   * Opens a stream.
   * @param end ends the stream; called when it is the oldest of too many, or its session ends
   * @returns the function that closes it again; null when there are too many streams in all
   */
  open({ agentId, family, session }: Holder, kind: OpenKind, end: () => void): (() => void) | null {
    if (this.#count >= maxTotal) return null
    const ofAgent = `${kind} ${agentId}`
    this.#makeRoom(ofAgent, maxPerAgent)
    const groups = [ofAgent]
    if (family !== undefined) {
      const ofFamily = `family ${family}`
      this.#makeRoom(ofFamily, maxPerFamily)
      groups.push(ofFamily)
    }
    if (session !== undefined) groups.push(ofSession(session))
    const opened = { groups, end }
    for (const group of groups) this.#groups.set(group, (this.#groups.get(group) ?? new Set()).add(opened))
    this.#count++
    return () => this.#close(opened)
  }

  /** How many are open. */
  get count(): number {
    return this.#count
  }

  /** Ends everything that a browser session holds open. */
  endSession(session: string): void {
    for (const open of [...(this.#groups.get(ofSession(session)) ?? [])]) this.#end(open)
  }

  #makeRoom(group: string, max: number): void {
    const open = this.#groups.get(group)
    const [oldest] = open ?? []
    if (open !== undefined && open.size >= max && oldest !== undefined) this.#end(oldest)
  }

  #end(open: Open): void {
    this.#close(open)
    open.end()
  }

  #close(open: Open): void {
    let wasOpen = false
    for (const group of open.groups) {
      const members = this.#groups.get(group)
      wasOpen = members?.delete(open) === true || wasOpen
      if (members?.size === 0) this.#groups.delete(group)
    }
    if (wasOpen) this.#count--
  }
}
