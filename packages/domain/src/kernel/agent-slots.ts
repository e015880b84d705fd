import { DomainError } from './errors.ts'

/** How many pieces of work of one kind run at once. */
export interface Limits {
  /** For one agent; by default as many as for all. */
  readonly ofAnAgent?: number
  /** For one board; by default as many as for all. */
  readonly ofABoard?: number
  readonly ofAll: number
  /** How long work waits for a slot, ms; 0 to never wait, infinite to wait as long as it takes. */
  readonly maxWaitMs: number
  /** The name of the work in messages, in the plural. */
  readonly label: string
}

/** The agent and board that a piece of work belongs to. */
export interface WorkOwner {
  readonly agentId?: string | undefined
  readonly boardId?: string | undefined
}

interface Waiting {
  readonly owner: WorkOwner
  readonly begin: () => void
}

/**
 * Limits how much costly work runs at once for one agent, for one board and in all; the rest waits for a slot. A caller
 * that waits for its own work does not hold up others (walls 7).
 */
export class AgentSlots {
  readonly #limits: Limits
  readonly #pause: (ms: number) => Promise<void>
  readonly #running: WorkOwner[] = []
  readonly #waiting: Waiting[] = []

  /** @param pause resolves after the given number of milliseconds */
  constructor(limits: Limits, pause: (ms: number) => Promise<void> = pauseFor) {
    this.#limits = limits
    this.#pause = pause
  }

  /**
   * Runs work once there is a slot for it.
   * @throws DomainError RATE_LIMITED when no slot becomes free in time
   */
  async run<Value>(owner: WorkOwner, work: () => Promise<Value>): Promise<Value> {
    if (!this.#takeNow(owner)) await this.#turnOf(owner)
    try {
      return await work()
    } finally {
      this.#release(owner)
    }
  }

  /**
   * Takes a slot without waiting.
   * @returns the function that releases it
   * @throws DomainError RATE_LIMITED when no slot is free
   */
  take(owner: WorkOwner): () => void {
    if (!this.#takeNow(owner)) throw noTurn(this.#limits)
    return () => this.#release(owner)
  }

  #takeNow(owner: WorkOwner): boolean {
    const hasRoom = this.#hasRoomFor(owner)
    if (hasRoom) this.#running.push(owner)
    return hasRoom
  }

  #release(owner: WorkOwner): void {
    this.#running.splice(this.#running.indexOf(owner), 1)
    this.#beginNext()
  }

  #hasRoomFor({ agentId, boardId }: WorkOwner): boolean {
    const { ofAll, ofAnAgent = ofAll, ofABoard = ofAll } = this.#limits
    const running = this.#running
    return (
      running.length < ofAll &&
      (agentId === undefined || running.filter(one => one.agentId === agentId).length < ofAnAgent) &&
      (boardId === undefined || running.filter(one => one.boardId === boardId).length < ofABoard)
    )
  }

  #turnOf(owner: WorkOwner): Promise<void> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>()
    const waiting = { owner, begin }
    const { maxWaitMs } = this.#limits
    this.#waiting.push(waiting)
    if (maxWaitMs !== Number.POSITIVE_INFINITY)
      void this.#pause(maxWaitMs).then(() => {
        if (this.#leave(waiting)) reject(noTurn(this.#limits))
      })
    return promise
  }

  #beginNext(): void {
    const next = this.#waiting.find(({ owner }) => this.#hasRoomFor(owner))
    if (next === undefined) return
    this.#leave(next)
    this.#running.push(next.owner)
    next.begin()
  }

  #leave(waiting: Waiting): boolean {
    const at = this.#waiting.indexOf(waiting)
    if (at !== -1) this.#waiting.splice(at, 1)
    return at !== -1
  }
}

const noTurn = ({ label, ofAll, ofAnAgent = ofAll, maxWaitMs }: Limits) =>
  new DomainError(
    'RATE_LIMITED',
    `Too many ${label} are running. At most ${ofAnAgent} run at once for each key. Wait and send this one again.`,
    { retry_after: Math.max(1, maxWaitMs / 1_000) },
  )

const pauseFor = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref())
