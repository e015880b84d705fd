import { Worker } from 'node:worker_threads'
import { databaseFile } from '@specboard/storage'

/** A query for the thread. */
export interface Asking {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** When the thread gives up, ms of the epoch. */
  readonly deadline: number
}

/** What a thread begins with. */
export interface ThreadStart {
  readonly file: string
  /** Not 0 once every query is to end. */
  readonly stopped: Int32Array<SharedArrayBuffer>
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

/** How long a thread has to end by itself what it was told to end, ms. */
const graceMs = 2_000

/** Threads side by side: a slow query keeps one, not all. */
const mostThreads = 2

// The thread's file lies beside this one, in the sources as in what is built of them.
const threadFile = new URL(`./query-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/**
 * Runs queries beside the service, each on a read-only connection in a thread of its own, so that no query keeps
 * other calls waiting. A thread ends its query at the timeout by itself. Only one that does not is terminated: a
 * terminated thread no longer runs JavaScript, but SQLite in it goes on to the end of the query.
 */
export class CypherThread {
  readonly #folder: string
  readonly #onFault: (error: unknown) => void
  readonly #idle: Worker[] = []
  readonly #waiting: (() => void)[] = []
  readonly #all = new Set<Worker>()
  readonly #stopped = new Int32Array(new SharedArrayBuffer(4))
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
    const ended = () => reject(new Error('The thread of the query has ended.'))
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

  /** Ends all threads, and the queries that they run. */
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
