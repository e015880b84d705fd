import { Worker } from 'node:worker_threads'
import { databaseFile } from '@specboard/storage'

/** A query for the thread. */
export interface Asking {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly timeoutMs: number
}

/** What the thread tells: rows, or why there are none. */
export type Told =
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly timedOut: true }
  | { readonly exceeded: string }
  | { readonly fault: string }

/** A query that was not done in its time. */
export class QueryTimeout extends Error {}

/** A query that asks for more than the database takes; its message names the limit. */
export class QueryLimit extends Error {}

/** Threads side by side: a slow query keeps one, not all. */
const mostThreads = 2

// The thread's file lies beside this one, in the sources as in what is built of them.
const threadFile = new URL(`./query-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/**
 * Runs queries beside the service, each on a read-only connection in a thread that is ended at the
 * timeout, so that no query keeps other calls waiting.
 */
export class CypherThread {
  readonly #folder: string
  readonly #onFault: (error: unknown) => void
  readonly #idle: Worker[] = []
  readonly #waiting: (() => void)[] = []
  readonly #all = new Set<Worker>()
  #busy = 0

  /** @param onFault is told of a thread that breaks down */
  constructor(folder: string, onFault: (error: unknown) => void) {
    this.#folder = folder
    this.#onFault = onFault
  }

  /**
   * Rows of a query.
   * @throws QueryTimeout when they are not there in time; QueryLimit
   */
  async run(sql: string, parameters: readonly unknown[], timeoutMs: number): Promise<(readonly unknown[])[]> {
    const until = performance.now() + timeoutMs
    await this.#turn(until)
    try {
      return await this.#ask({ sql, parameters, timeoutMs: Math.max(0, until - performance.now()) })
    } finally {
      this.#busy--
      this.#waiting.shift()?.()
    }
  }

  /** Waits until a thread is free. */
  async #turn(until: number): Promise<void> {
    while (this.#busy >= mostThreads) {
      const left = until - performance.now()
      if (left <= 0) throw new QueryTimeout()
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, left)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
    this.#busy++
  }

  #ask(asking: Asking): Promise<(readonly unknown[])[]> {
    const worker = this.#idle.pop() ?? this.#start()
    const { promise, resolve, reject } = Promise.withResolvers<(readonly unknown[])[]>()
    const timer = setTimeout(() => {
      reject(new QueryTimeout())
      void worker.terminate()
    }, asking.timeoutMs)
    const told = (answer: Told) => {
      worker.off('exit', ended)
      this.#idle.push(worker)
      if ('rows' in answer) resolve([...answer.rows])
      else if ('timedOut' in answer) reject(new QueryTimeout())
      else reject('exceeded' in answer ? new QueryLimit(answer.exceeded) : new Error(answer.fault))
    }
    const ended = () => reject(new Error('The thread of the query has ended.'))
    worker.once('message', told)
    worker.once('exit', ended)
    worker.postMessage(asking)
    return promise.finally(() => clearTimeout(timer))
  }

  #start(): Worker {
    const worker = new Worker(threadFile, { workerData: databaseFile(this.#folder) })
    worker.unref()
    this.#all.add(worker)
    worker.on('error', this.#onFault)
    worker.once('exit', () => {
      this.#all.delete(worker)
      if (this.#idle.includes(worker)) this.#idle.splice(this.#idle.indexOf(worker), 1)
    })
    return worker
  }

  /** Ends all threads. */
  async stop(): Promise<void> {
    await Promise.all([...this.#all].map(worker => worker.terminate()))
  }
}
