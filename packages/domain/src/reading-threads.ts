import type { ErrorCode } from '@specboard/contract'
import { type StoreAddress, siblingFile } from '@specboard/storage'
import type { Piscina } from 'piscina'
import type { Environment } from './kernel/context.ts'
import { DomainError } from './kernel/errors.ts'
import type { RuntimeSettings } from './kernel/runtime-settings.ts'
import type { Answer, Call } from './kernel/service/call.ts'
import type { ReadPool, ThreadAnswer, ThreadCall } from './kernel/service/read-pool.ts'
import { manyPartsCheck } from './many-parts.ts'
import type { Database } from './schema/database.ts'
import { isWideRead } from './wide-reads.ts'

/** The arguments of a thread. */
export interface ThreadStart {
  /** The data folder. */
  readonly folder: string
  readonly address: StoreAddress
  readonly version: string
  readonly cacheMb: number
  readonly sessionLife: Environment['sessionLife']
}

/** The number of threads that read at once; further calls wait. */
const maxThreads = 2

/** How long a thread waits for another call before it ends and frees its memory, ms. */
const idleMs = 300_000

/** The young generation of a thread, MiB: three parts, each as large as that of the service. */
const youngMb = 12

/** The page cache of a thread's connection, MiB. */
const cacheMb = 16

const threadFile = siblingFile(import.meta.url, 'reading-thread')

/**
 * Runs reads of whole boards in threads, each with a read-only connection of its own, so that they hold up no other
 * calls. Below `fromBytes` of stored data a read costs less than passing it to a thread, and runs at once.
 */
export class ReadingThreads implements ReadPool {
  readonly #folder: string
  readonly #database: Database
  readonly #settings: RuntimeSettings
  readonly #clock: () => number
  readonly #version: string
  readonly #fromBytes: number
  readonly #sessionLife: Environment['sessionLife']
  #pool: Promise<Piscina<ThreadCall, ThreadAnswer>> | undefined

  constructor(options: {
    readonly folder: string
    readonly database: Database
    readonly settings: RuntimeSettings
    readonly clock: () => number
    readonly version: string
    readonly fromBytes: number
    readonly sessionLife: Environment['sessionLife']
  }) {
    this.#folder = options.folder
    this.#database = options.database
    this.#settings = options.settings
    this.#clock = options.clock
    this.#version = options.version
    this.#fromBytes = options.fromBytes
    this.#sessionLife = options.sessionLife
  }

  shouldOffload(call: Call, inSteps: boolean): boolean | Promise<boolean> {
    if (call.caller?.proof === undefined) return false
    const isWide = isWideRead(call, inSteps)
    const asks = isWide ? undefined : manyPartsCheck(call)
    if ((!isWide && asks === undefined) || this.#database.bytes < this.#fromBytes) return false
    return asks === undefined || this.#database.read(asks)
  }

  async perform({ operation, input, caller, within, origin, asText, reduce }: Call): Promise<Answer> {
    this.#pool ??= this.#start()
    const pool = await this.#pool
    const answer = await pool.run({
      operation: operation.name as ThreadCall['operation'],
      input,
      proof: caller!.proof!,
      within,
      origin,
      now: this.#clock(),
      replica: this.#database.replicaPlace,
      settings: this.#settings.values,
      reduce,
    })
    if ('refusal' in answer) {
      const { code, message, extra } = answer.refusal
      throw new DomainError(code as ErrorCode, message, extra)
    }
    const { status, total, json, etag, file } = answer
    const rest = { status, ...(total !== undefined && { total }), ...(file !== undefined && { file }) }
    if (json === undefined) return rest
    return asText === true || reduce !== undefined
      ? { ...rest, json, ...(etag !== undefined && { etag }) }
      : { ...rest, body: JSON.parse(Buffer.from(json.buffer).toString()) }
  }

  /** Ends all threads, after the calls that they are working on. */
  async stop(): Promise<void> {
    await (await this.#pool)?.close({ force: true })
  }

  async #start(): Promise<Piscina<ThreadCall, ThreadAnswer>> {
    const { Piscina } = await import('piscina')
    const workerData: ThreadStart = {
      folder: this.#folder,
      address: this.#database.address,
      version: this.#version,
      cacheMb,
      sessionLife: this.#sessionLife,
    }
    return new Piscina<ThreadCall, ThreadAnswer>({
      filename: threadFile.href,
      minThreads: 0,
      maxThreads,
      idleTimeout: idleMs,
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    })
  }
}
