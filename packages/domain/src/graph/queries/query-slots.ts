import { DomainError } from '../../kernel/errors.ts'

/** Queries that run at once: of one agent, and of all (trust 1). */
const mostOfAnAgent = 2
const mostOfAll = 4

/** How long a query waits for its turn, ms (trust 1). */
const longestWaitMs = 5_000

interface Waiting {
  readonly agentId: string
  readonly begin: () => void
}

/** Lets so many queries run at once; the others wait for their turn. */
export class QuerySlots {
  readonly #pause: (ms: number) => Promise<void>
  readonly #running: string[] = []
  readonly #waiting: Waiting[] = []

  /** @param pause settles after so many milliseconds */
  constructor(pause: (ms: number) => Promise<void> = pauseFor) {
    this.#pause = pause
  }

  /**
   * Runs a query of an agent once there is room for it.
   * @throws DomainError RATE_LIMITED when there is none in time
   */
  async run<Value>(agentId: string, query: () => Promise<Value>): Promise<Value> {
    if (this.#hasRoomFor(agentId)) this.#running.push(agentId)
    else await this.#turnOf(agentId)
    try {
      return await query()
    } finally {
      this.#running.splice(this.#running.indexOf(agentId), 1)
      this.#beginNext()
    }
  }

  #hasRoomFor(agentId: string): boolean {
    return this.#running.length < mostOfAll && this.#running.filter(id => id === agentId).length < mostOfAnAgent
  }

  #turnOf(agentId: string): Promise<void> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>()
    const waiting = { agentId, begin }
    this.#waiting.push(waiting)
    void this.#pause(longestWaitMs).then(() => {
      if (this.#leave(waiting)) reject(noTurn())
    })
    return promise
  }

  #beginNext(): void {
    const next = this.#waiting.find(({ agentId }) => this.#hasRoomFor(agentId))
    if (next === undefined) return
    this.#leave(next)
    this.#running.push(next.agentId)
    next.begin()
  }

  #leave(waiting: Waiting): boolean {
    const at = this.#waiting.indexOf(waiting)
    if (at !== -1) this.#waiting.splice(at, 1)
    return at !== -1
  }
}

const noTurn = () =>
  new DomainError(
    'RATE_LIMITED',
    `Too many queries are running. At most ${mostOfAnAgent} of one key run at once. Wait and send this one again.`,
    { retry_after: longestWaitMs / 1_000 },
  )

const pauseFor = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref())
