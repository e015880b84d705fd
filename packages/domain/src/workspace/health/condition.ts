/** What is currently wrong with the service, and whether writes can succeed (access 13, board 5). */
import { statfs } from 'node:fs/promises'
import { type ReplicaStatus, StorageError, type StoreLoad } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { Backlog, FollowerFacts } from '../../kernel/followers/facts.ts'
import type { Follower } from '../../kernel/followers/follower.ts'
import type { RuntimeSettings } from '../../kernel/runtime-settings.ts'
import type { Database, Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type OpenFiles, openFiles } from './open-files.ts'

declare module '../../kernel/context.ts' {
  interface Environment {
    readonly condition: Condition
  }
}

/** The free space on its disk below which the service counts as degraded, bytes. */
const minFreeBytes = 100 << 20

/** The share of its file handles from which the service counts as short of them. */
const fewHandles = 0.9

/** How often the service looks for problems while nobody asks, ms. */
const lookMs = 30_000

/** How long an answer is reused, ms: load balancers and monitors ask often. */
const freshMs = 1_000

/** How long the probe's write may take before writes count as refused, ms. */
const patienceMs = 5_000

/** The problem of a database that does not answer. */
export const noAnswer = 'the database does not answer'

/** What the condition is determined from. */
export interface ConditionParts {
  readonly database: Database
  readonly settings: RuntimeSettings
  /** The data folder. */
  readonly folder: string
  readonly clock: () => number
  /** The followers, with their facts in the database. */
  readonly followers: readonly FollowerFacts[]
  /** Problems that parts of the service report, as sentences without paths. */
  readonly faults: () => readonly string[]
  /** Called when something begins to be wrong, and when it is over. */
  readonly onChange: (problem: string, isOver: boolean) => void
}

/** Reads a value of each of several things at once, by name. */
function valuesOf<Value>(columns: readonly (readonly [name: string, select: RawBuilder<Value>])[]) {
  const selected = columns.map(([name, select]) => sql`(${select}) as ${sql.ref(name)}`)
  const read = hot<Record<never, never>, Record<string, Value>>(
    () => sql<Record<string, Value>>`select ${sql.join(selected)}`,
  )
  return async (db: Db): Promise<ReadonlyMap<string, Value>> => new Map(Object.entries((await read(db, {}))[0]!))
}

/** Whether the service can receive requests that write. */
export interface Readiness {
  readonly ready: boolean
  /** Why it cannot, and other problems. */
  readonly problems: readonly string[]
}

/** Checks the parts of a running service. */
export class Condition implements Follower {
  readonly backlogs: readonly Backlog[]
  readonly #parts: ConditionParts
  readonly #counts: (db: Db) => Promise<ReadonlyMap<string, number>>
  readonly #oldest: (db: Db) => Promise<ReadonlyMap<string, string | null>>
  readonly #problems: (isAnswering: boolean) => Promise<readonly string[]>
  readonly #refusal: () => Promise<string | undefined>
  /** What was wrong at the last look, by its text without numbers, which change from look to look. */
  #known: ReadonlyMap<string, string> = new Map()
  #timer: NodeJS.Timeout | undefined

  constructor(parts: ConditionParts) {
    this.#parts = parts
    const { clock, followers } = parts
    this.backlogs = followers.flatMap(({ backlog = [] }) => backlog)
    this.#counts = valuesOf(this.backlogs.map(({ metric, count }) => [metric, count] as const))
    this.#oldest = valuesOf(
      followers.flatMap(({ name, oldest }) => (oldest === undefined ? [] : [[name, oldest] as const])),
    )
    this.#problems = shortly(clock, isAnswering => this.#look(isAnswering))
    this.#refusal = shortly(clock, () => probe(parts.database, clock))
  }

  /** Looks for problems regularly from now on, so that they are reported even if nobody asks. */
  start(): void {
    this.#timer = setInterval(() => void this.problems().catch(() => {}), lookMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /**
   * The problems, as sentences without paths; empty if all is well.
   * @param isAnswering whether the database answers; otherwise it is not queried
   */
  problems(isAnswering = true): Promise<readonly string[]> {
    return this.#problems(isAnswering)
  }

  /** The free bytes on the disk of the data folder. */
  async diskFree(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#parts.folder)
    return bavail * bsize
  }

  /** How large each backlog is, by its metric; undefined if the database does not answer. */
  waiting(): Promise<ReadonlyMap<string, number> | undefined> {
    return this.#parts.database.read(this.#counts).catch(() => undefined)
  }

  /** How far behind each follower of the writes is, s, for metrics; empty if the database does not answer. */
  async lags(): Promise<ReadonlyMap<string, number>> {
    const { database, clock } = this.#parts
    const oldest = await database.read(this.#oldest).catch(() => new Map<string, string | null>())
    const lagOf = (at: string | null) => (at === null ? 0 : Math.max(0, clock() - Date.parse(at)) / 1_000)
    return new Map([...oldest].map(([follower, at]) => [follower, lagOf(at)]))
  }

  /** How busy the database is. */
  get load(): StoreLoad {
    return this.#parts.database.load
  }

  /** The replica that reads go to; undefined if none is set up. */
  get replica(): ReplicaStatus | undefined {
    return this.#parts.database.replica
  }

  /** Whether a write succeeds now, by making one. */
  async readiness(): Promise<Readiness> {
    if (this.#parts.database.condition.isLost) return { ready: false, problems: this.#parts.faults() }
    const refusal = await this.#refusal()
    const problems = await this.problems(refusal === undefined)
    if (refusal === undefined) return { ready: true, problems }
    return { ready: false, problems: [refusal, ...problems.filter(problem => problem !== refusal)] }
  }

  async #look(isAnswering: boolean): Promise<readonly string[]> {
    const { problems, isAll } = await this.#found(isAnswering)
    const found = new Map(problems.map(problem => [problem.replaceAll(/\d+/g, '#'), problem]))
    const before = this.#known
    const { onChange } = this.#parts
    for (const [key, problem] of found) if (!before.has(key)) onChange(problem, false)
    // If the database does not answer, the problems known from it are not over.
    if (isAll) for (const [key, problem] of before) if (!found.has(key)) onChange(problem, true)
    this.#known = isAll ? found : new Map([...before, ...found])
    return problems
  }

  /** The problems, and whether the database could be read for them. */
  async #found(isAnswering: boolean): Promise<{ readonly problems: readonly string[]; readonly isAll: boolean }> {
    const { database, faults, settings } = this.#parts
    const free = await this.diskFree().catch(() => undefined)
    const problems = [
      ...faults(),
      ...(free !== undefined && free < minFreeBytes
        ? [`the disk of the data folder has ${free >> 20} MiB left: make room`]
        : []),
      ...shortOfHandles(await openFiles()),
    ]
    const counts = isAnswering ? await this.waiting() : undefined
    if (counts === undefined) {
      const isUnanswered = isAnswering && !database.condition.isLost
      return { problems: isUnanswered ? [...problems, noAnswer] : problems, isAll: false }
    }
    const behind = this.backlogs.flatMap(
      ({ metric, problem }) => problem(counts.get(metric) ?? 0, settings.values) ?? [],
    )
    return { problems: [...problems, ...behind], isAll: true }
  }
}

/** Whether the process is short of file handles, as sentences. */
export const shortOfHandles = (files: OpenFiles | undefined): string[] =>
  files === undefined || files.open < fewHandles * files.max
    ? []
    : [`${files.open} of ${files.max} file handles are open: let the process have more`]

/** Writes a row of its own; returns why that was refused, undefined if it was not. */
async function probe(database: Database, clock: () => number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>(resolve => {
    timer = setTimeout(resolve, patienceMs, 'writes wait too long')
  })
  const outcome = writeProbe(database, clock()).then(
    () => undefined,
    error => `writes are refused: ${reasonOf(database.faultOf(error))}`,
  )
  return Promise.race([outcome, late]).finally(() => clearTimeout(timer))
}

async function writeProbe(database: Database, at: number): Promise<void> {
  await database.write(
    db =>
      db
        .insertInto('write_probes')
        .values({ id: 1, at })
        .onConflict(conflict => conflict.column('id').doUpdateSet({ at }))
        .execute(),
    { lock: 'write probe' },
  )
}

/** Why a write failed, without details that only an operator may see. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof StorageError)) return 'the database answers with an error'
  if (fault.code === 'STORAGE_FULL') return 'the disk is full'
  if (fault.code === 'UNREACHABLE') return 'the database cannot be reached'
  if (fault.code === 'READ_ONLY') return 'the database takes no writes, as on a standby'
  return fault.code === 'BUSY' ? 'too many writes are waiting' : 'the database is closed'
}

/** Reuses an answer for a moment, and runs one check at a time. */
function shortly<Arguments extends unknown[], Value>(
  clock: () => number,
  look: (...values: Arguments) => Promise<Value>,
): (...values: Arguments) => Promise<Value> {
  const cache = new Map<string, { readonly at: number; readonly value: Promise<Value> }>()
  return (...values) => {
    const key = JSON.stringify(values)
    const last = cache.get(key)
    if (last !== undefined && Math.abs(clock() - last.at) < freshMs) return last.value
    const value = look(...values)
    cache.set(key, { at: clock(), value })
    return value
  }
}
