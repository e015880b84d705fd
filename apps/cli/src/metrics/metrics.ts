import { readdir } from 'node:fs/promises'
import type { PerformedCall, Service } from '@specboard/domain'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client'

/** Histogram bounds for the durations of calls, s: from a read of a record to where proxies give up. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** How many boards are reported at a time. */
const maxBoards = 10

/** A lock name that is not a board id. */
const boardId = /^[\da-f-]{36}$/

/** A value that may be unknown. */
type MaybeNumber = number | undefined

type Condition = Service['environment']['condition']

/** The metrics of a running service, as text in the OpenMetrics format. */
export class Metrics {
  readonly #registry = new Registry<OpenMetricsContentType>()
  readonly #calls: Counter<'operation' | 'door' | 'status'>
  readonly #durations: Histogram<'operation' | 'door'>

  constructor() {
    const register = this.#registry
    register.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
    this.#calls = new Counter({
      name: 'specboard_calls',
      help: 'Calls of operations that were answered or refused.',
      labelNames: ['operation', 'door', 'status'],
      registers: [register],
    })
    this.#durations = new Histogram({
      name: 'specboard_call_duration_seconds',
      help: 'How long calls of operations took.',
      labelNames: ['operation', 'door'],
      buckets: seconds,
      registers: [register],
    })
    // Processor time, memory, handles, garbage collections, and the delay of the event loop.
    collectDefaultMetrics({ register })
  }

  /** Counts a call. */
  readonly performed = ({ operation, door, status, ms }: PerformedCall): void => {
    this.#calls.inc({ operation, door, status: String(status) })
    this.#durations.observe({ operation, door }, ms / 1_000)
  }

  /** Measures a service from now on, whenever the metrics are requested. */
  watch({ environment }: Pick<Service, 'environment'>): void {
    const { condition, streams, backups, database, leases } = environment
    this.#gauge('open_streams', 'Event streams, waiting calls and MCP streams that are open.', () => streams.open.count)
    this.#gauge('open_files', 'File handles of the process.', openFiles)
    this.#gauge('nodes', 'Nodes that serve the database.', () => leases.count)
    this.#gauge('database_bytes', 'The size of the database.', () => database().size_bytes)
    this.#gauge('disk_free_bytes', 'What is left on the disk of the data folder.', () => condition.diskFree())
    this.#gauge('problems', 'Problems that /health lists.', async () => (await condition.problems()).length)
    this.#gauge('backup_last_success_timestamp_seconds', 'When the newest good backup was begun.', () =>
      timeOf(backups.status()?.last_success_at),
    )
    this.#gauge('backup_last_failure_timestamp_seconds', 'When the newest failed backup was begun.', () =>
      timeOf(backups.status()?.last_failure_at),
    )
    this.#watchDatabase(condition)
    if (condition.replica !== undefined) this.#watchReplica(condition)
    this.#watchWaiting(condition)
    this.#watchFollowers(condition)
  }

  /** The metrics, in the OpenMetrics format. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  #watchDatabase(condition: Condition): void {
    this.#gauge('write_units', 'Units of work that were committed since the start.', () => condition.load.units)
    this.#gauge('write_commits', 'Commits that units of work shared since the start.', () => condition.load.commits)
    this.#gauge('database_waiting', 'Units of work and reads that wait for the database.', () => condition.load.waiting)
    this.#gauge(
      'lock_wait_seconds',
      'How long units of work have waited for others on the same board since the start.',
      () => condition.load.lockWaitMs / 1_000,
    )
    this.#watchBoards(condition)
    this.#gauge('wal_bytes', 'The size of the log of the embedded database.', () => condition.load.walBytes)
    this.#gauge('connections_open', 'Connections to the database.', () => condition.load.connections.open)
    this.#gauge('connections_idle', 'Connections that nobody uses.', () => condition.load.connections.idle)
  }

  #watchReplica(condition: Condition): void {
    const replicaValue = (member: 'lagBytes' | 'lagSeconds' | 'replicaReads' | 'primaryReads') => () =>
      condition.replica?.[member]
    this.#gauge('replica_used', 'Whether reads go to the replica.', () => (condition.replica?.isUsed ? 1 : 0))
    this.#gauge('replica_lag_bytes', 'How far the replica is behind the primary.', replicaValue('lagBytes'))
    this.#gauge('replica_lag_seconds', 'How long ago the primary was where the replica is.', replicaValue('lagSeconds'))
    this.#gauge('replica_reads', 'Reads that the replica answered since the start.', replicaValue('replicaReads'))
    this.#gauge('replica_primary_reads', 'Reads that the primary answered in its place.', replicaValue('primaryReads'))
  }

  /** The boards with the most units of work waiting in this node; only a few, so that their ids create few series. */
  #watchBoards(condition: Condition): void {
    const gauge = new Gauge({
      name: 'specboard_board_waiting_units',
      help: 'Units of work that wait in this node for others on the same board, for the boards with the most.',
      labelNames: ['board'],
      registers: [this.#registry],
      collect: () => {
        gauge.reset()
        for (const [lock, units] of condition.load.longestWaits(maxBoards))
          if (boardId.test(lock)) gauge.set({ board: lock }, units)
      },
    })
  }

  #watchWaiting(condition: Condition): void {
    for (const { metric, help } of condition.backlogs)
      this.#gauge(metric, help, async () => (await condition.waiting())?.get(metric))
  }

  /** The background followers of writes. */
  #watchFollowers(condition: Condition): void {
    const gauge = new Gauge({
      name: 'specboard_follower_lag_seconds',
      help: 'How long the oldest unprocessed write of each follower has waited.',
      labelNames: ['follower'],
      registers: [this.#registry],
      collect: async () => {
        gauge.reset()
        for (const [follower, seconds] of await condition.lags()) gauge.set({ follower }, seconds)
      },
    })
  }

  /** A value that is looked up on request; left out while it is unknown. */
  #gauge(name: string, help: string, value: () => MaybeNumber | Promise<MaybeNumber>): void {
    const gauge = new Gauge({
      name: `specboard_${name}`,
      help,
      registers: [this.#registry],
      collect: async () => {
        const current = await Promise.resolve()
          .then(value)
          .catch(() => undefined)
        if (current === undefined) gauge.remove()
        else gauge.set(current)
      },
    })
  }
}

const timeOf = (at: string | null | undefined): MaybeNumber =>
  at === null || at === undefined ? undefined : Date.parse(at) / 1_000

/** The handles of this process, if the system reports them. */
const openFiles = async (): Promise<MaybeNumber> => (await readdir('/proc/self/fd')).length
