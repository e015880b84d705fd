import { DomainError } from './errors.ts'

/** How many calls of a kind run at once. */
export interface Limits {
  readonly ofAnAgent: number
  readonly ofAll: number
  /** How long a call waits for its turn, ms. */
  readonly longestWaitMs: number
  /** What runs, in the plural. */
  readonly what: string
}

interface Waiting {
  readonly agentId: string
  readonly begin: () => void
}

/** Lets so many costly calls run at once, of one agent and of all; the others wait for their turn. */
export class AgentSlots {
  readonly #limits: Limits
  readonly #pause: (ms: number) => Promise<void>
  readonly #running: string[] = []
  readonly #waiting: Waiting[] = []

  /** @param pause settles after so many milliseconds */
  constructor(limits: Limits, pause: (ms: number) => Promise<void> = pauseFor) {
    this.#limits = limits
    this.#pause = pause
  }

  /**
   * Runs a call of an agent once there is room for it.
   * @throws DomainError RATE_LIMITED when there is none in time
   */
  async run<Value>(agentId: string, work: () => Promise<Value>): Promise<Value> {
    if (this.#hasRoomFor(agentId)) this.#running.push(agentId)
    else await this.#turnOf(agentId)
    try {
      return await work()
    } finally {
      this.#running.splice(this.#running.indexOf(agentId), 1)
      this.#beginNext()
    }
  }

  #hasRoomFor(agentId: string): boolean {
    const { ofAnAgent, ofAll } = this.#limits
    return this.#running.length < ofAll && this.#running.filter(id => id === agentId).length < ofAnAgent
  }

  #turnOf(agentId: string): Promise<void> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>()
    const waiting = { agentId, begin }
    this.#waiting.push(waiting)
    void this.#pause(this.#limits.longestWaitMs).then(() => {
      if (this.#leave(waiting)) reject(noTurn(this.#limits))
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

const noTurn = ({ what, ofAnAgent, longestWaitMs }: Limits) =>
  new DomainError(
    'RATE_LIMITED',
    `Too many ${what} are running. At most ${ofAnAgent} of one key run at once. Wait and send this one again.`,
    { retry_after: longestWaitMs / 1_000 },
  )

const pauseFor = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref())
