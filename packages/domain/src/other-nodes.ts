import type { Database } from './schema/database.ts'
import { eventBoards, lastPosition } from './workspace/events/store.ts'

/** What happened on a node, which the others have to know. */
export interface Happened {
  /** Boards with new entries in their logs. */
  readonly events: ReadonlySet<string>
  /** Boards of which something else was called. */
  readonly boards: ReadonlySet<string>
  /** Whether somebody may see other boards than before. */
  readonly sight: boolean
  /** Whether an agent may have changed. */
  readonly agents: boolean
  /** Whether the runtime settings may have changed. */
  readonly settings: boolean
}

/** How often the log is looked at for entries of which no announcement came, ms. */
const lookMs = 2_000

/**
 * What other nodes on the same database do. A node tells the others after its commits, and is told by them; what got
 * lost, because a node was killed or its connection broke, is found in the log.
 */
export class OtherNodes {
  readonly #database: Database
  readonly #onFault: (error: unknown) => void
  readonly #heard: (happened: Happened) => void
  #unlisten: () => void = () => {}
  #looking: NodeJS.Timeout | undefined
  /** The last entry of the log that was looked at. */
  #position = 0

  constructor(database: Database, heard: (happened: Happened) => void, onFault: (error: unknown) => void) {
    this.#database = database
    this.#heard = heard
    this.#onFault = onFault
  }

  /** Begins to listen. */
  async start(): Promise<void> {
    if (!this.#database.isShared) return
    this.#position = await this.#database.read(lastPosition)
    this.#unlisten = this.#database.onAnnounced(names => {
      if (names === 'anything') this.#heard({ ...nothing, sight: true, agents: true, settings: true })
      else this.#heard(happenedBy(names))
    })
    this.#looking = setInterval(() => this.#look().catch(this.#onFault), lookMs).unref()
  }

  stop(): void {
    clearInterval(this.#looking)
    this.#unlisten()
  }

  /** Tells the other nodes. */
  tell({ events, boards, sight, agents, settings }: Partial<Happened>): void {
    for (const id of events ?? []) this.#database.announce(`events ${id}`)
    for (const id of boards ?? []) this.#database.announce(`board ${id}`)
    if (sight) this.#database.announce('sight')
    if (agents) this.#database.announce('agents')
    if (settings) this.#database.announce('settings')
  }

  async #look(): Promise<void> {
    const { position, events } = await this.#database.read(async db => {
      const last = await lastPosition(db)
      return { position: last, events: last === this.#position ? [] : await eventBoards(db, this.#position, last) }
    })
    this.#position = position
    if (events.length > 0) this.#heard({ ...nothing, events: new Set(events) })
  }
}

const nothing: Happened = { events: new Set(), boards: new Set(), sight: false, agents: false, settings: false }

function happenedBy(names: ReadonlySet<string>): Happened {
  const idsOf = (kind: string) =>
    new Set([...names].flatMap(name => (name.startsWith(`${kind} `) ? [name.slice(kind.length + 1)] : [])))
  return {
    events: idsOf('events'),
    boards: idsOf('board'),
    sight: names.has('sight'),
    agents: names.has('agents'),
    settings: names.has('settings'),
  }
}
