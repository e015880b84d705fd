import { createClient } from '@specboard/client'
import type { Service } from '../harness/service.ts'

/** Longer than any measurement takes, ms. */
const waitMs = 600_000

/** Agents of a board that wait for something to do, each with one call: half of them for a card, half for their inbox. */
export class Waiters {
  readonly #server: Service
  readonly #boardId: string
  readonly #keys: string[] = []
  #end = new AbortController()
  /** Callbacks that wait for the next answer with a card, and are called with its time. */
  readonly #answered: ((at: number) => void)[] = []

  private constructor(server: Service, boardId: string) {
    this.#server = server
    this.#boardId = boardId
  }

  /** Makes as many agents; none of them waits yet. */
  static async of(server: Service, board_id: string, count: number): Promise<Waiters> {
    const waiters = new Waiters(server, board_id)
    for (let index = 0; index < count; index++) {
      const agent = { name: `Waiter ${index}`, preset_id: 'Executor', board_ids: [board_id] }
      const { api_key } = await server.client.createAgent(agent)
      waiters.#keys.push(api_key!)
      // Checking the first call of a key takes longer than checking those after it.
      await createClient({ url: server.url, key: api_key! }).getMyPermissions()
    }
    return waiters
  }

  /** Starts the waits of all agents. */
  begin(): void {
    this.#end = new AbortController()
    for (const [index, key] of this.#keys.entries()) void (index % 2 === 0 ? this.#forCard(key) : this.#forInbox(key))
  }

  /** Ends every wait. */
  end(): void {
    this.#end.abort()
  }

  /** Resolves with the time at which the next card reaches a waiter. */
  nextAnswer(): Promise<number> {
    return new Promise(resolve => this.#answered.push(resolve))
  }

  /** Waits for a card, and once it has one, for the next. */
  async #forCard(key: string): Promise<void> {
    const body = { wait_ms: waitMs, another: true }
    for (;;) {
      const answer = await this.#call(key, 'POST', `boards/${this.#boardId}/claim-next`, body)
      if (answer === undefined) return
      if (answer.card !== null) this.#answered.shift()?.(performance.now())
    }
  }

  async #forInbox(key: string): Promise<void> {
    await this.#call(key, 'GET', `me/inbox?wait_ms=${waitMs}&board_id=${this.#boardId}`)
  }

  /** The answer of a call; undefined once the waits have ended. */
  async #call(
    key: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly card: unknown } | undefined> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    try {
      const { signal } = this.#end
      const content = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(`${this.#server.url}/api/v1/${path}`, { method, headers, signal, ...content })
      if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
      return (await response.json()) as { card: unknown }
    } catch (error) {
      if (this.#end.signal.aborted) return
      throw error
    }
  }
}
