import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import type { DatabasePlace } from '@specboard/domain'
import { keepFilesPrivate } from '@specboard/storage'
import { type NodeProcess, startNode } from '../../../apps/cli/test/support/node-process.ts'
import { type Databases, databasesOf, type ServiceDatabase } from './databases.ts'
import { HealthWatch } from './health-watch.ts'
import { Report } from './report.ts'
import { type Service, startScript, startService } from './service.ts'

/** Nodes on one database, and how another is started. */
export interface Nodes {
  readonly nodes: NodeProcess[]
  /** A client of the owner on a node, by default the first one. */
  client(node?: NodeProcess): Client
  readonly key: string
  start(): Promise<NodeProcess>
}

/**
 * Starts the services of a scenario, and removes their folders and databases at the end, together with every service
 * that still runs.
 *
 * @example
 * await using lab = await Lab.open()
 * const { client } = await lab.start()
 */
export class Lab implements AsyncDisposable {
  /** The folder that holds the data of all services. */
  readonly root: string
  readonly databases: Databases
  readonly report: Report
  readonly #places = new Map<string, ServiceDatabase & { key?: string }>()
  readonly #ends: (() => unknown)[] = []

  private constructor(databases: Databases, report: Report) {
    this.databases = databases
    this.report = report
    this.root = mkdtempSync(join(tmpdir(), 'specboard-lab-'))
  }

  /** A lab whose services use an engine: `sqlite` or `postgres`. */
  static async open(engine = 'sqlite', report: Report = new Report(() => {})): Promise<Lab> {
    keepFilesPrivate()
    return new Lab(await databasesOf(engine), report)
  }

  /** A path in the lab's folder. */
  path(...names: readonly string[]): string {
    return join(this.root, ...names)
  }

  /** The data folder and database of the service with a name. */
  place(name = 'data'): DatabasePlace {
    return { folder: this.path(name), databaseUrl: this.#places.get(name)?.url }
  }

  /**
   * Starts the service with a name: with a new, empty database the first time, with its data after that.
   * @param tracer a command that runs it, with its arguments
   */
  async start(
    name = 'data',
    environment: Readonly<Record<string, string>> = {},
    tracer: readonly string[] = [],
  ): Promise<Service> {
    const place = this.#places.get(name) ?? { ...(await this.databases.make()) }
    this.#places.set(name, place)
    mkdirSync(this.path(name), { recursive: true, mode: 0o700 })
    const service = await startService(this.path(name), { ...place.environment, ...environment }, tracer)
    place.key ??= service.key!
    return this.#kept(service.withKey(place.key))
  }

  /** Starts a service, does something with it, and stops it. */
  async with<Value>(
    name: string,
    run: (service: Service) => Promise<Value>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Value> {
    const service = await this.start(name, environment)
    try {
      return await run(service)
    } finally {
      await service.stop()
    }
  }

  /** The time from the start of a service to its first answer, ms; it is stopped then. */
  async timeOfStart(name = 'data', environment: Readonly<Record<string, string>> = {}): Promise<number> {
    const started = performance.now()
    return this.with(
      name,
      async ({ url }) => {
        await fetch(`${url}/health`)
        return performance.now() - started
      },
      environment,
    )
  }

  /** Starts a script of the folder `load` that prints its port. */
  async startScript(script: string, ...args: readonly string[]): Promise<Service> {
    return this.#kept(await startScript(script, ...args))
  }

  /**
   * Starts nodes that share a new database of PostgreSQL.
   * @param leaseMs how long a silent node keeps its leases; the usual time by default
   */
  async nodes(count: number, leaseMs?: number): Promise<Nodes> {
    const secretKeyFile = this.path('secret')
    writeFileSync(secretKeyFile, randomBytes(32))
    const { url: databaseUrl } = await this.databases.make()
    const start = async () => {
      const node = await startNode({ databaseUrl, secretKeyFile, leaseMs, pinned: {} })
      this.#ends.push(() => node.stop())
      return node
    }
    const nodes = [await start()]
    const key = nodes[0]!.ownerKey!
    while (nodes.length < count) nodes.push(await start())
    return { nodes, key, start, client: ({ url } = nodes[0]!) => createClient({ url, key }) }
  }

  /** Watches the health of a service until the end of the lab. */
  watch({ url }: Service): HealthWatch {
    const watch = new HealthWatch(url)
    this.#ends.push(() => watch.stop())
    return watch
  }

  /** Registers work for the end, which runs in reverse order. */
  atEnd(run: () => unknown): void {
    this.#ends.push(run)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.toReversed()) await end()
    await this.databases[Symbol.asyncDispose]()
    rmSync(this.root, { recursive: true, force: true })
  }

  #kept(service: Service): Service {
    this.#ends.push(() => service.stop())
    return service
  }
}
