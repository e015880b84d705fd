/** Two nodes on one PostgreSQL, each a process of its own, called over their sockets. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import { onServer, privateServer } from '@specboard/storage/testing'
import { type NodeProcess, startNode } from './node-process.ts'

type Settings = Parameters<typeof startNode>[0]

/** Which of the nodes. */
type Which = 'one' | 'two'

/** Two nodes, on a server of their own. */
export class TwoNodes {
  readonly server: Awaited<ReturnType<typeof privateServer>>
  readonly settings: Settings
  /** For what they share, and tests' own files. */
  readonly folder: string
  readonly key: string
  readonly #processes: Record<Which, NodeProcess>

  private constructor(
    server: TwoNodes['server'],
    folder: string,
    settings: Settings,
    processes: Record<Which, NodeProcess>,
  ) {
    this.server = server
    this.settings = settings
    this.folder = folder
    this.#processes = processes
    this.key = (processes.one.ownerKey ?? processes.two.ownerKey)!
  }

  /**
   * Starts them together: one of them migrates and makes the owner.
   * @param leaseMs how long a silent node keeps what it works on, ms
   */
  static async start(leaseMs: number): Promise<TwoNodes> {
    const server = await privateServer()
    const folder = mkdtempSync(join(tmpdir(), 'specboard-nodes-'))
    const secretKeyFile = join(folder, 'secret')
    writeFileSync(secretKeyFile, `${randomBytes(32).toString('base64')}\n`)
    const settings = { databaseUrl: await server.database(), secretKeyFile, leaseMs }
    const [one, two] = await Promise.all([startNode(settings), startNode(settings)])
    return new TwoNodes(server, folder, settings, { one, two })
  }

  get one(): NodeProcess {
    return this.#processes.one
  }

  get two(): NodeProcess {
    return this.#processes.two
  }

  /** The owner, through each of the nodes. */
  get owners(): readonly [Client, Client] {
    return [through(this.one.url, this.key), through(this.two.url, this.key)]
  }

  /** Starts a node again that was killed. */
  async startAgain(which: Which): Promise<void> {
    this.#processes[which] = await startNode(this.settings)
  }

  /** Creates a board; returns its id. */
  async board(name: string): Promise<string> {
    return (await this.owners[0].createBoard({ name, description: '' })).id
  }

  /** What the database itself answers. */
  query<Row extends object>(statement: string): Promise<Row[]> {
    return onServer<Row>(this.settings.databaseUrl!, statement)
  }

  async stop(): Promise<void> {
    await this.one.stop()
    await this.two.stop()
    await this.server.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A client of a node with a key. */
export const through = (url: string, key: string): Client => createClient({ url, key })
