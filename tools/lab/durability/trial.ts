import { rmSync } from 'node:fs'
import { inspectDatabase } from '@specboard/domain'
import type { Lab } from '../harness/lab.ts'
import type { Service } from '../harness/service.ts'
import { backupsIn, isWhole } from './backups.ts'
import { findingsIn } from './findings.ts'
import { Ledger } from './ledger.ts'
import { makeWriterBoard, repeated, type WriterBoard, type Writing, write } from './writers.ts'

/** The number of acknowledged calls of a round that are repeated after the start. */
const repeatedCalls = 20

/** One data folder whose server is stopped abruptly, and what was acknowledged to its clients. */
export class Trial {
  readonly #lab: Lab
  readonly ledger = new Ledger()
  /** How long each start took until the server was ready, ms. */
  readonly starts: number[] = []
  /** The number of violations, by kind. */
  readonly counts = { lost: 0, half: 0, twice: 0, different: 0, alarms: 0, damaged: 0 }
  #desk: WriterBoard | undefined
  /** How many creations were tried before the last start. */
  #compared = 0

  constructor(lab: Lab) {
    this.#lab = lab
  }

  get folder(): string {
    return this.#lab.path('data')
  }

  /** Reports violations to the lab. */
  judge(): void {
    for (const [violation, count] of Object.entries(this.counts))
      this.#lab.report.expect(count === 0, `${violation} ${count}`)
  }

  /** The violations, in words. */
  get figures(): readonly string[] {
    const { lost, half, twice, different, alarms, damaged } = this.counts
    return [
      `lost ${lost}, half ${half}, twice ${twice}, answered otherwise ${different}`,
      `false alarms ${alarms}, damaged ${damaged}`,
    ]
  }

  /** The settings of every server of a trial: no limit slows a client, and intended faults are not logged. */
  static readonly settings = { SPECBOARD_MCP_RATE_LIMIT: '0', SPECBOARD_LOG_LEVEL: 'fatal' } as const

  /** Starts the server, repeats calls of the last round, and compares the folder with the ledger. */
  async start(): Promise<Service> {
    const began = performance.now()
    const server = await this.launch()
    this.starts.push(performance.now() - began)
    if ((await server.client.getHealth({})).status !== 'healthy') this.counts.alarms++
    this.#desk ??= await makeWriterBoard(server)
    await this.#repeat(server)
    const { lost, half, twice } = await findingsIn(this.folder, this.ledger)
    // Each start finds again what an earlier one found.
    this.counts.lost = Math.max(this.counts.lost, lost)
    this.counts.half = Math.max(this.counts.half, half)
    this.counts.twice = Math.max(this.counts.twice, twice)
    this.#checkBackups()
    return server
  }

  /** Starts the server without checking its contents. */
  launch(tracer: readonly string[] = []): Promise<Service> {
    return this.#lab.start('data', Trial.settings, tracer)
  }

  /** Writes until a number of writes were answered, or until the server is gone. */
  async write(server: Service, answers: number, writing: Omit<Writing, 'goesOn'> = {}): Promise<void> {
    const answered = () => this.ledger.acknowledged + this.ledger.refused
    const enough = answered() + answers
    await write({ ...this.#desk!, url: server.url }, this.ledger, {
      ...writing,
      goesOn: () => server.isAlive && answered() < enough,
    })
  }

  /** Starts the server one last time, stops it and checks the database. */
  async end(): Promise<void> {
    await (await this.start()).stop()
    const { integrity, staleIndexes, brokenReferences } = await inspectDatabase(this.folder)
    if (integrity !== 'ok' || brokenReferences.total + staleIndexes.length > 0) this.counts.damaged++
  }

  async #repeat({ url }: Service): Promise<void> {
    const tried = [...this.ledger.creations.values()].slice(this.#compared)
    const keyed = tried.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
    const unknown = keyed.filter(({ answer }) => answer === undefined)
    const answered = keyed.filter(({ answer }) => answer !== undefined).slice(-repeatedCalls)
    this.counts.different += (await repeated({ ...this.#desk!, url }, [...unknown, ...answered])).length
    this.#compared = this.ledger.creations.size
  }

  /**
   * Checks that every copy left by a migration is complete, and removes it, so that the next migration makes one again.
   */
  #checkBackups(): void {
    const created = [...this.ledger.creations.values()].filter(({ answer }) => answer !== undefined)
    for (const backup of backupsIn(this.folder)) {
      if (!isWhole(backup, created)) this.counts.damaged++
      rmSync(backup)
    }
  }
}
