import { rm } from 'node:fs/promises'
import { type OperationName, operationByName, parseInput } from '@specboard/contract'
import { newDatabase, type TestDatabase } from '@specboard/storage/testing'
import { sql } from 'kysely'
import { type OpenedService, openService } from '../src/open.ts'
import { migratedFolder } from '../src/schema/empty-database.testing.ts'
import type { ServiceOptions } from '../src/service-options.ts'

/** The owner's key in every service of this kind. */
export const ownerKey = `dash_${'0123456789abcdef'.repeat(3)}`

/** A service with a clock that tests set and a worker that they run by hand. */
export class GraphWorld {
  readonly ownerKey = ownerKey
  now = Date.parse('2030-01-01T00:00:00.000Z')
  opened!: OpenedService
  readonly faults: unknown[] = []
  readonly folder: string
  boardId = ''

  /** Undefined on SQLite, whose database lies in the folder. */
  readonly #database: TestDatabase | undefined

  private constructor(folder: string, database: TestDatabase | undefined) {
    this.folder = folder
    this.#database = database
  }

  static async start(options: Partial<ServiceOptions> = {}): Promise<GraphWorld> {
    const world = new GraphWorld(await migratedFolder('specboard-graph-'), await newDatabase())
    await world.open(options)
    world.boardId = (await world.ok('create_board', { name: 'Board', description: '' })).id
    return world
  }

  /** Opens the data folder; also reopens it after `close`. */
  async open(options: Partial<ServiceOptions> = {}): Promise<void> {
    this.opened = await openService({
      folder: this.folder,
      databaseUrl: this.#database?.url,
      version: '1',
      ownerKey,
      workers: false,
      clock: () => this.now,
      onFault: error => this.faults.push(error),
      ...options,
    })
  }

  async stop(): Promise<void> {
    await this.opened.close()
    await this.#database?.drop()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Calls an operation as the owner; the schemas decide which argument goes into path, query and body. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of all operations
  async ok(name: OperationName, args: Readonly<Record<string, unknown>> = {}): Promise<any> {
    const operation = operationByName.get(name)!
    const of = (shape: object) => Object.fromEntries(Object.entries(args).filter(([key]) => key in shape))
    const rest = Object.entries(args).filter(([key]) => !(key in operation.params) && !(key in operation.query))
    const parsed = parseInput(operation, {
      params: of(operation.params),
      query: of(operation.query),
      body: operation.body === undefined ? undefined : Object.fromEntries(rest),
    })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.items))
    const { service } = this.opened
    const caller = await service.authenticate(ownerKey)
    return (await service.perform({ operation, input: parsed.input, caller })).body
  }

  /** Consolidates every queued record that is due; returns how many. */
  drain(): Promise<number> {
    return this.opened.graph.worker.drain()
  }

  /** Runs a tick to the end. */
  async tick(all = false): Promise<void> {
    await this.ok('run_kg_tick', { board_id: this.boardId, force_full_rebuild: all })
    await this.opened.graph.ticker.settled()
  }

  async spec(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return (await this.ok('create_spec', { board_id: this.boardId, title: 'Spec', ...fields })).id
  }

  /** The entries of the queue. */
  async entries() {
    return (await this.ok('list_kg_pending', { board_id: this.boardId })).entries
  }

  /** Breaks a spec so that its extraction fails, or repairs it. */
  async breakSpec(id: string, broken = true): Promise<void> {
    await this.opened.service.database.write(db =>
      sql`update specs set decisions = ${broken ? 'no JSON' : null} where id = ${id}`.execute(db),
    )
  }

  /** Nodes and edges with everything that a rebuild must restore. */
  async graph() {
    const { nodes, edges } = await this.opened.service.database.read(async db => ({
      nodes: await db
        .selectFrom('kg_nodes')
        .select(['id', 'node_type', 'title', 'content', 'context', 'source_artifact_ref', 'relevance_score', 'degree'])
        .orderBy('id')
        .execute(),
      edges: await db
        .selectFrom('kg_edges')
        .select(['id', 'edge_type', 'from_id', 'to_id', 'confidence', 'rule_id'])
        .orderBy('id')
        .execute(),
    }))
    return { nodes, edges }
  }
}
