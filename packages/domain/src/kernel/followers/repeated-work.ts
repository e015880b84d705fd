import type { Follower } from './follower.ts'

interface RepeatedWorkParts {
  /** Does the work that is due. */
  readonly act: () => Promise<void>
  /** The interval, ms. */
  readonly everyMs: number
  readonly onFault: (error: unknown) => void
  /** Whether it is also done in a process without workers. */
  readonly isInEveryProcess?: boolean
}

/** Work that is done when it starts and after each interval, one run after the other; a fault does not end it. */
export class RepeatedWork implements Follower {
  readonly isInEveryProcess: boolean
  readonly #parts: RepeatedWorkParts
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(parts: RepeatedWorkParts) {
    this.#parts = parts
    this.isInEveryProcess = parts.isInEveryProcess ?? false
  }

  /** @param first work that is done once before */
  start(first?: () => Promise<void>): void {
    const { act, everyMs } = this.#parts
    if (first !== undefined) this.#run(first)
    this.#run(act)
    this.#timer = setInterval(() => this.#run(act), everyMs).unref()
  }

  /** Waits for the running work, and starts no more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  #run(act: () => Promise<void>): void {
    this.#running = this.#running.then(act).catch(this.#parts.onFault)
  }
}
