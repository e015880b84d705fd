import { Worker } from 'node:worker_threads'
import { databaseFile } from '@specboard/storage'

/** A query for the thread. */
export interface Asking {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** When the thread gives up, ms since the epoch. */
  readonly deadline: number
}

/** What a thread is started with. */
export interface ThreadStart {
  readonly file: string
  /** Becomes non-zero to end every query. */
  readonly stopped: Int32Array<SharedArrayBuffer>
}

/** The thread's reply: rows, or why there are none. */
export type Told =
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly timedOut: true }
  | { readonly exceeded: string }
  | { readonly fault: string }

/** Thrown for a query that is not done by its deadline. */
export class QueryTimeout extends Error {}

/** Thrown for a query that exceeds a limit of the database; the message names the limit. */
export class QueryLimit extends Error {}

/** How long a thread has to end a query by itself before it is terminated, ms. */
const graceMs = 2_000

/** How many threads run at once, so that one slow query does not block all others. */
const mostThreads = 2

// The file of the thread is next to this one, both in the sources and in a build.
const threadFile = new URL(`./query-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/**
 * Runs queries in threads, each with a read-only connection of its own, so that no query keeps other calls waiting. A
 * thread ends its query by itself at the timeout. It is terminated only if it does not: a terminated thread runs no
 * more JavaScript, but SQLite in it continues to the end of the query.
 */
export class CypherThread {
  readonly #folder: string
  readonly #onFault: (error: unknown) => void
  readonly #idle: Worker[] = []
  readonly #waiting: (() => void)[] = []
  readonly #all = new Set<Worker>()
  readonly #stopped = new Int32Array(new SharedArrayBuffer(4))
  #busy = 0

  /** @param onFault called when a thread fails */
  constructor(folder: string, onFault: (error: unknown) => void) {
    this.#folder = folder
    this.#onFault = onFault
  }

  /**
   * Runs a query and returns its rows.
   * @throws QueryTimeout when it takes longer than `timeoutMs`; QueryLimit
   */
  async run(sql: string, parameters: readonly unknown[], timeoutMs: number): Promise<(readonly unknown[])[]> {
    const until = performance.now() + timeoutMs
    await this.#turn(until)
    try {
      return await this.#ask(sql, parameters, Math.max(0, until - performance.now()))
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

  #ask(sql: string, parameters: readonly unknown[], timeoutMs: number): Promise<(readonly unknown[])[]> {
    const worker = this.#idle.pop() ?? this.#start()
    const { promise, resolve, reject } = Promise.withResolvers<(readonly unknown[])[]>()
    const overdue = setTimeout(() => reject(new QueryTimeout()), timeoutMs)
    const stuck = setTimeout(() => void worker.terminate(), timeoutMs + graceMs).unref()
    const told = (answer: Told) => {
      clearTimeout(stuck)
      worker.off('exit', ended)
      this.#idle.push(worker)
      if ('rows' in answer) resolve([...answer.rows])
      else if ('timedOut' in answer) reject(new QueryTimeout())
      else reject('exceeded' in answer ? new QueryLimit(answer.exceeded) : new Error(answer.fault))
    }
    const ended = () => reject(new Error('The thread that ran the query has ended.'))
    worker.once('message', told)
    worker.once('exit', ended)
    worker.postMessage({ sql, parameters, deadline: Date.now() + timeoutMs } satisfies Asking)
    return promise.finally(() => clearTimeout(overdue))
  }

  #start(): Worker {
    const workerData: ThreadStart = { file: databaseFile(this.#folder), stopped: this.#stopped }
    const worker = new Worker(threadFile, { workerData })
    worker.unref()
    this.#all.add(worker)
    worker.on('error', this.#onFault)
    worker.once('exit', () => {
      this.#all.delete(worker)
      if (this.#idle.includes(worker)) this.#idle.splice(this.#idle.indexOf(worker), 1)
    })
    return worker
  }

  /** Ends all threads and their queries. */
  async stop(): Promise<void> {
    Atomics.store(this.#stopped, 0, 1)
    await Promise.all(
      [...this.#all].map(async worker => {
        const stuck = setTimeout(() => void worker.terminate(), graceMs)
        const ended = new Promise(resolve => worker.once('exit', resolve))
        worker.postMessage(null)
        await ended
        clearTimeout(stuck)
      }),
    )
  }
}
