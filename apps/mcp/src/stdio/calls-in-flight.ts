import type { RequestId } from '@modelcontextprotocol/server'

/** A request, as its sender identifies it. */
export interface IdentifiedRequest {
  /** Null if the line could not be read as a request. */
  readonly id: RequestId | null
  readonly method: string
}

interface Call {
  readonly request: IdentifiedRequest
  readonly controller: AbortController
}

/** A request of this method has no answer of its own: it ends with the connection. */
const isStream = ({ method }: IdentifiedRequest): boolean => method === 'subscriptions/listen'

/** The unanswered requests. */
export class CallsInFlight {
  readonly #calls = new Set<Call>()
  #onSettled = (): void => {}

  /**
   * Runs a request, which is in flight until `run` settles.
   * @param run answers the request and resolves once the answer is written; must not reject
   */
  begin(request: IdentifiedRequest, run: (signal: AbortSignal) => Promise<void>): void {
    const call: Call = { request, controller: new AbortController() }
    this.#calls.add(call)
    void run(call.controller.signal).finally(() => {
      this.#calls.delete(call)
      this.#onSettled()
    })
  }

  /** Aborts the requests with this id; nobody waits for their answers any more. */
  cancel(id: RequestId): void {
    for (const { request, controller } of this.#calls) if (request.id === id) controller.abort()
  }

  /** Aborts all requests. */
  abort(): void {
    for (const { controller } of this.#calls) controller.abort()
  }

  /** The requests whose senders wait for an answer. */
  owed(): IdentifiedRequest[] {
    return [...this.#calls]
      .filter(({ request, controller }) => !isStream(request) && !controller.signal.aborted)
      .map(({ request }) => request)
  }

  /**
   * Waits until all requests are answered, no answer has been sent for `patienceMs` milliseconds, or `signal` aborts.
   */
  async settled(patienceMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, patienceMs)
    this.#onSettled = () => {
      if (this.owed().length === 0 || signal.aborted) resolve()
      else timer.refresh()
    }
    signal.addEventListener('abort', this.#onSettled, { once: true })
    this.#onSettled()
    await promise
    clearTimeout(timer)
  }
}
