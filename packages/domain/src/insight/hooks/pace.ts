import { tooManyCalls } from '../../kernel/access/keys.ts'

/** How many events an agent may report in a second (harness 3.2). */
const maxPerSecond = 20

/** How many agents are tracked at once. */
const maxAgents = 10_000

/** Limits how fast agents report events; bursts may use up what a second allows. */
export class HookPace {
  readonly #left = new Map<string, { readonly tokens: number; readonly at: number }>()

  /**
   * Counts an event of an agent.
   * @throws DomainError RATE_LIMITED
   */
  count(agentId: string, nowMs: number): void {
    const { tokens, at } = this.#left.get(agentId) ?? { tokens: maxPerSecond, at: nowMs }
    const there = Math.min(maxPerSecond, tokens + (Math.max(0, nowMs - at) * maxPerSecond) / 1_000)
    if (there < 1) throw tooManyCalls(Math.ceil(((1 - there) * 1_000) / maxPerSecond))
    this.#left.delete(agentId)
    this.#left.set(agentId, { tokens: there - 1, at: nowMs })
    if (this.#left.size > maxAgents) this.#left.delete(this.#left.keys().next().value!)
  }
}
