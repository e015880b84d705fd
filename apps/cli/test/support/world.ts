import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, requestOf } from '@specboard/client'
import { type OperationName, operationByName } from '@specboard/contract'
import { idSource, resetOwnerKey, writeWithoutLock } from '@specboard/domain'
import { putEmptyDatabase } from '@specboard/domain/testing'
import type { Site } from '@specboard/http'
import { newDatabase, newServerDatabase, type TestDatabase } from '@specboard/storage/testing'
import { pino } from 'pino'
import { type RunningService, type Settings, type SitePages, startService } from '../../src/mod.ts'
import { type PlainAnswer, plainRequest } from './plain-request.ts'

/** An agent of a test, with its key. */
export interface TestAgent {
  readonly id: string
  readonly key: string
  readonly client: Client
}

/** An answer as received over the socket. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON body; undefined without one. Tests look into it freely. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of all operations and all refusals
  readonly body: any
}

/** How a test's call differs from the owner's usual call. */
export interface CallOptions {
  /** Null for a call without a key. */
  readonly as?: TestAgent | null
  readonly headers?: Readonly<Record<string, string>>
}

interface Restart {
  /** The pages that it serves again. */
  readonly site?: Site
  readonly whileStopped?: () => Promise<void>
}

/**
 * Settings of a server whose knowledge graph is at work. Elsewhere it has no worker: what changes is queued for it and
 * waits, since few tests look at the graph.
 */
export const graphAtWork = { pinned: { kg_queue_min_interval_ms: 0 } } satisfies Partial<Settings>

const graphAtRest = { pinned: { kg_queue_max_concurrent_workers: 0 } } satisfies Partial<Settings>

/** The real server on a real socket, with its own folder and its owner. */
export class World {
  readonly running: RunningService
  readonly folder: string
  readonly owner: TestAgent
  /** The data folder, which is another one where the settings say so. */
  readonly dataDir: string
  /** The address of the PostgreSQL database; undefined on SQLite, whose database lies in the folder. */
  readonly databaseUrl: string | undefined
  /** The runtime settings that the server was started with, and is started with again. */
  readonly pinned: Settings['pinned']
  /** The database that the world made for itself and drops. */
  readonly #database: TestDatabase | undefined
  #count = 0

  private constructor(
    running: RunningService,
    folder: string,
    owner: TestAgent,
    database: TestDatabase | undefined,
    { dataDir = folder, databaseUrl, pinned = graphAtRest.pinned }: Partial<Settings>,
  ) {
    this.running = running
    this.folder = folder
    this.owner = owner
    this.dataDir = dataDir
    this.databaseUrl = databaseUrl
    this.pinned = pinned
    this.#database = database
  }

  /**
   * Starts a server on a free port; `settings` override the usual ones. It has no pages unless it is given some, and no
   * knowledge graph without `graphAtWork`.
   */
  static async start(settings: Partial<Settings> = {}, site?: Site, guide?: SitePages['guide']): Promise<World> {
    return World.#started(await newDatabase(), settings, { site, guide })
  }

  /** The same, on PostgreSQL with a server that no other test writes on. */
  static async alone(settings: Partial<Settings> = {}): Promise<World> {
    return World.#started(await newServerDatabase(), settings, {})
  }

  static async #started(
    database: TestDatabase | undefined,
    settings: Partial<Settings>,
    looks: SitePages,
  ): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'specboard-test-'))
    const options = { databaseUrl: database?.url, ...settings }
    if (options.databaseUrl === undefined && options.dataDir === undefined) await putEmptyDatabase(folder)
    const running = await serve(folder, options, looks)
    return new World(running, folder, await ownerOf(running, running.ownerKey!), database, options)
  }

  /**
   * Serves an existing data folder; its owner's key is known, or made anew.
   * @param settings with the address of its database, if the folder holds none
   */
  static async on(folder: string, settings: Partial<Settings> = {}, ownerKey?: string): Promise<World> {
    const running = await serve(folder, settings, {})
    const place = { folder, databaseUrl: settings.databaseUrl }
    const environment = { clock: Date.now, newId: idSource(Date.now) }
    const key = ownerKey ?? (await writeWithoutLock(place, db => resetOwnerKey(db, environment)))!
    return new World(running, folder, await ownerOf(running, key), undefined, settings)
  }

  /**
   * The variables that tell a separate process which database the world has; empty on SQLite, where the folder is
   * enough.
   */
  get variables(): Readonly<Record<string, string>> {
    return this.databaseUrl === undefined ? {} : { SPECBOARD_DATABASE_URL: this.databaseUrl }
  }

  /** Whether the server makes the knowledge graph. */
  get makesGraph(): boolean {
    return this.pinned.kg_queue_max_concurrent_workers !== 0
  }

  /** The same server, called by another agent unless a call says otherwise. */
  as(agent: TestAgent): World {
    return new World(this.running, this.folder, agent, this.#database, this)
  }

  /** Stops the server and serves the same folder again, on another port unless one is set. */
  async restart(settings: Partial<Settings> = {}, { site, whileStopped }: Restart = {}): Promise<World> {
    await this.running.stop()
    await whileStopped?.()
    const options = { databaseUrl: this.databaseUrl, pinned: this.pinned, ...settings }
    const running = await serve(this.folder, options, { site })
    const { id, key } = this.owner
    return new World(running, this.folder, agentAt(running, id, key), this.#database, options)
  }

  /** Stops the server and removes its folder. */
  async stop(): Promise<void> {
    await this.running.stop()
    await this.#database?.drop()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** A new agent, created by `maker`, with Full Control unless flags or a preset say otherwise. */
  async agent(fields: Readonly<Record<string, unknown>> = {}, maker: TestAgent = this.owner): Promise<TestAgent> {
    const agent = await this.ok('create_agent', { name: `Agent ${++this.#count}`, ...fields }, { as: maker })
    return agentAt(this.running, agent.id, agent.api_key)
  }

  /** Calls an operation with flattened arguments and returns any answer. */
  async call(
    name: OperationName,
    args: Readonly<Record<string, unknown>> = {},
    { as = this.owner, headers = {} }: CallOptions = {},
  ): Promise<TestAnswer> {
    const operation = operationByName.get(name)!
    const { path, body } = requestOf(operation, args)
    const { file } = args
    const form = file instanceof File ? new FormData() : undefined
    if (file instanceof File) form?.set('file', file)
    const answer = await plainRequest(`${this.running.url}${path}`, {
      method: operation.method,
      headers: {
        ...(as !== null && { authorization: `Bearer ${as.key}` }),
        // A stream has no end; these tests take the JSON form of what there is.
        ...(operation.kind === 'events' && { accept: 'application/json' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
    })
    return answerOf(answer)
  }

  /** The archive of a board, as a file to import. */
  async archive(boardId: string, query = '', as = this.owner): Promise<File> {
    const url = `${this.running.url}/api/v1/boards/${boardId}/export${query}`
    const response = await fetch(url, { headers: { authorization: `Bearer ${as.key}` } })
    if (!response.ok) throw new Error(`export_board answered ${response.status}: ${await response.text()}`)
    return new File([Buffer.from(await response.arrayBuffer())], 'board.specboard.zip', { type: 'application/zip' })
  }

  /** Calls an operation that must succeed and returns its body. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of all operations
  async ok(name: OperationName, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<any> {
    const { status, body } = await this.call(name, args, options)
    if (status >= 300) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
}

/** An agent of a service. Its client, which has a function for each operation, is made when a test first uses it. */
function agentAt({ url }: RunningService, id: string, key: string): TestAgent {
  let client: Client | undefined
  return {
    id,
    key,
    get client() {
      client ??= createClient({ url, key, fetch: uncompressed })
      return client
    },
  }
}

const uncompressed = (address: URL, { headers, ...request }: RequestInit) =>
  fetch(address, { ...request, headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' } })

async function ownerOf(running: RunningService, key: string): Promise<TestAgent> {
  const headers = { authorization: `Bearer ${key}` }
  const { text } = await plainRequest(`${running.url}/api/v1/me/permissions`, { method: 'GET', headers })
  return agentAt(running, JSON.parse(text).agent_id, key)
}

/** Tests may run as on a database that has neither NOTIFY nor advisory locks. */
const portable = (): Partial<Settings> =>
  process.env.SPECBOARD_TEST_PORTABLE === '1' ? { announcements: 'poll', databaseLocks: 'rows' } : {}

/** Serves a folder on a free port, with the settings of tests unless others are given. */
export const serve = (folder: string, settings: Partial<Settings>, looks: SitePages = {}): Promise<RunningService> =>
  startService(
    {
      host: '127.0.0.1',
      port: 0,
      dataDir: folder,
      databaseUrl: undefined,
      ...portable(),
      secretKeyFile: undefined,
      ownerApiKey: undefined,
      allowedHosts: [],
      publicUrl: 'https://board.example.com',
      // Tests sign agents in to see the board as they may.
      agentSignIn: 'on',
      // Issuers of tests are here.
      oidcAllowedHosts: ['127.0.0.1'],
      logLevel: 'silent',
      attachmentMaxBytes: 10_485_760,
      attachmentsUrl: undefined,
      importMaxBytes: 2 * 2 ** 30,
      forgeMaxBytes: 10_485_760,
      rateLimit: 0,
      // Tests send wrong keys by the hundred.
      wrongKeysPerMin: 0,
      maxBoardsPerAgent: 0,
      maxAttachmentsMb: 0,
      mcpDefaultToolsets: 'all',
      mcpConfirm: 'off',
      mcpRateLimit: 0,
      mcpConflictMinutes: 15,
      mcpRepeatMinutes: 10,
      mcpAnswerCharacters: 20_000,
      kgEmbeddingUrl: undefined,
      kgEmbeddingModel: undefined,
      kgEmbeddingApiKey: undefined,
      kgEmbeddingDim: undefined,
      kgCypherRatePerMin: 100_000,
      reportCasesDays: 30,
      webhookAllowedHosts: ['127.0.0.1'],
      backupDir: undefined,
      backupEvery: 24,
      backupAt: undefined,
      metrics: 'off',
      metricsPort: undefined,
      metricsHost: '127.0.0.1',
      backupKeep: 7,
      ...graphAtRest,
      ...settings,
    },
    pino({ level: 'silent' }),
    looks,
  )

function answerOf({ status, headers, text }: PlainAnswer): TestAnswer {
  const isJson = /^application\/json\b/.test(headers.get('content-type') ?? '')
  return { status, headers, body: isJson && text !== '' ? JSON.parse(text) : text === '' ? undefined : text }
}
