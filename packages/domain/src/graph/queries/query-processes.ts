import { type ChildProcess, fork } from 'node:child_process'
import { type LimitedQuery, type LimitedResult, type StoreAddress, siblingFile } from '@specboard/storage'

/** What a process is started with. */
export interface ProcessStart {
  readonly address: StoreAddress
  /** The total memory limit of the process, bytes. */
  readonly memoryBytes: number
  /** The size beyond which the process runs no further query, bytes. */
  readonly spentBytes: number
  /** The size limit of a result, bytes. */
  readonly resultBytes: number
}

/** The rows that a query found, and how long it took. */
export type QueryRows = Extract<LimitedResult, { readonly ms: number }>

/** A process's reply: rows, or why there are none. */
export type Reply = LimitedResult & {
  /** The process has grown and should run no further query. */
  readonly spent?: boolean
}

/** Thrown for a query that exceeds its time limit. */
export class QueryTimeout extends Error {}

/** Thrown for a query that exceeds its memory limit, or whose result is too large. */
export class QueryTooLarge extends Error {}

/** Thrown for a query that exceeds a limit of the database; the message names the limit. */
export class QueryLimit extends Error {}

/** Thrown for a query while the database cannot be reached. */
export class QueryUnreachable extends Error {}

/** Limits of queries; tests bring their own. */
export interface QueryLimits {
  /** The memory limit of a process with its query, bytes (trust 1). SQLite keeps temporary data in memory. */
  readonly memoryBytes?: number
  /** A process that has grown beyond this runs no further query, because SQLite does not give memory back, bytes. */
  readonly spentBytes?: number
  /** The size limit of a result, bytes: the service holds a result in several forms until it is sent. */
  readonly resultBytes?: number
  /** How long a process waits for a further query, ms. */
  readonly idleMs?: number
}

/** How long a process has to end a query on its own before it is killed, ms. */
const graceMs = 500

const processFile = siblingFile(import.meta.url, 'query-process')

/**
 * Runs queries in processes of their own, each with a read-only connection: a query neither blocks other calls nor
 * grows the service, and whatever it does, it can be killed.
 */
export class QueryProcesses {
  readonly #start: ProcessStart
  readonly #idleMs: number
  /** Idle processes, each with the timer that ends it. */
  readonly #idle = new Map<QueryProcess, NodeJS.Timeout>()
  readonly #all = new Set<QueryProcess>()

  constructor(
    address: StoreAddress,
    { memoryBytes = 256 << 20, spentBytes = 128 << 20, resultBytes = 16 << 20, idleMs = 30_000 }: QueryLimits = {},
  ) {
    this.#start = { address, memoryBytes, spentBytes, resultBytes }
    this.#idleMs = idleMs
  }

  /** The number of processes, running and idle. */
  get count(): number {
    return this.#all.size
  }

  /**
   * Runs a query; its time limit starts once a process is ready.
   * @throws QueryTimeout, QueryTooLarge, QueryLimit, QueryUnreachable
   */
  async run(query: LimitedQuery): Promise<QueryRows> {
    const process = this.#anIdle() ?? this.#started()
    const reply = await process.ask(query)
    if (reply.spent === true) process.end()
    else this.#rest(process)
    if ('rows' in reply) return reply
    if ('timedOut' in reply) throw new QueryTimeout()
    if ('tooLarge' in reply) throw new QueryTooLarge()
    if ('unreachable' in reply) throw new QueryUnreachable()
    throw 'exceeded' in reply ? new QueryLimit(reply.exceeded) : new Error(reply.fault)
  }

  #started(): QueryProcess {
    const process = new QueryProcess(this.#start)
    this.#all.add(process)
    void process.ended.then(() => {
      this.#all.delete(process)
      this.#wake(process)
    })
    return process
  }

  #anIdle(): QueryProcess | undefined {
    const [process] = this.#idle.keys()
    if (process !== undefined) this.#wake(process)
    return process
  }

  /** Keeps a process for a further query, for a while. */
  #rest(process: QueryProcess): void {
    const end = () => {
      this.#idle.delete(process)
      process.end()
    }
    this.#idle.set(process, setTimeout(end, this.#idleMs).unref())
  }

  #wake(process: QueryProcess): void {
    clearTimeout(this.#idle.get(process))
    this.#idle.delete(process)
  }

  /** Ends all processes and their queries. */
  async stop(): Promise<void> {
    await Promise.all(
      [...this.#all].map(process => {
        process.kill()
        return process.ended
      }),
    )
  }
}

/** The variables that give the password of a PostgreSQL database, besides its address. */
const passwordVariables = (): Record<string, string | undefined> => {
  const { HOME, PGPASSFILE, PGPASSWORD } = process.env
  return { HOME, PGPASSFILE, PGPASSWORD }
}

/** One process, which runs one query at a time. */
class QueryProcess {
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  readonly #ready: Promise<unknown>
  #killed = false

  constructor(start: ProcessStart) {
    this.#child = fork(processFile, {
      // Neither the secrets in the environment nor the flags of the service are passed to the process.
      env: start.address.engine === 'postgres' ? passwordVariables() : {},
      execArgv: ['--max-semi-space-size=4'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.ended = new Promise(resolve => this.#child.once('exit', () => resolve()).on('error', () => resolve()))
    this.#ready = this.#next()
    // Awaited with the first query.
    this.#ready.catch(() => {})
    // A process that could not start for lack of file handles has no channel; its error event says so.
    if (!this.#child.connected) return
    // Not as an argument: other users of the machine could read the password in an address.
    this.#child.send(start)
    this.#child.unref()
    this.#child.channel?.unref()
  }

  /**
   * The reply to a query.
   * @throws QueryTimeout when the process had to be killed, QueryTooLarge when it ran out of memory
   */
  async ask(query: LimitedQuery): Promise<Reply> {
    await this.#ready
    const overdue = setTimeout(() => this.kill(), query.timeoutMs + graceMs).unref()
    try {
      const reply = this.#next()
      // If the process is gone, its exit event says why.
      this.#child.send(query, () => {})
      return (await reply) as Reply
    } finally {
      clearTimeout(overdue)
    }
  }

  /** Ends an idle process. */
  end(): void {
    if (this.#child.connected) this.#child.disconnect()
  }

  kill(): void {
    this.#killed = true
    // The event loop must not become empty while callers wait for the process to end.
    this.#child.ref()
    this.#child.kill('SIGKILL')
  }

  /** The next message. */
  #next(): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const ended = (code: number | null, signal: NodeJS.Signals | null) => reject(this.#causeOf(code, signal))
    this.#child.once('exit', ended).once('error', reject).once('message', resolve)
    const settled = () => this.#child.off('exit', ended).off('error', reject).off('message', resolve)
    return promise.finally(settled)
  }

  /** Why the process ended: if it was not killed, a signal means that it ran out of memory. */
  #causeOf(code: number | null, signal: NodeJS.Signals | null): Error {
    if (this.#killed) return new QueryTimeout()
    return signal === null ? new Error(`The process that ran the query ended with code ${code}.`) : new QueryTooLarge()
  }
}
