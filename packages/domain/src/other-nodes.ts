import { leasesChanged } from './kernel/leases.ts'
import { lastPosition } from './kernel/log-places.ts'
import type { Written } from './kernel/service/announcements.ts'
import type { Database } from './schema/database.ts'
import { writtenAfter } from './workspace/events/store.ts'

/** What happened on a node that the others have to know. */
export interface Happened {
  /** Whether this node could not hear the others for a while. */
  readonly isUnknown: boolean
  /** Boards with new entries in their logs. */
  readonly events: ReadonlySet<string>
  /** Boards on which something else was called. */
  readonly boards: ReadonlySet<string>
  /** Whether somebody may see other boards than before. */
  readonly sight: boolean
  /** Whether an agent may have changed. */
  readonly agents: boolean
  /** Whether the runtime settings may have changed. */
  readonly settings: boolean
  /** The board and id of each webhook that was changed or has something to send. */
  readonly webhooks: ReadonlySet<string>
  /** Each person whose notifications were changed, or to whom something must be sent. */
  readonly channels: ReadonlySet<string>
  /** Whether something was released that only one node at a time may hold. */
  readonly leases: boolean
}

/** How often the log is checked for entries that were not announced, ms. */
const lookMs = 2_000

/** How soon it is checked after an announcement, and again while entries wait for earlier ones, ms. */
const followMs = 25

/** Callbacks for what other nodes do. */
export interface Told {
  readonly happened: (happened: Happened) => void
  /** The entries that other nodes appended to the log, each once. */
  readonly written: (written: readonly Written[]) => void
  readonly onFault: (error: unknown) => void
}

/**
 * Follows what other nodes on the same database do. A node notifies the others after its commits; whatever is lost
 * because a node was killed or its connection broke is found in the log.
 */
export class OtherNodes {
  readonly #database: Database
  readonly #told: Told
  #unlisten: () => void = () => {}
  #looking: NodeJS.Timeout | undefined
  #following: NodeJS.Timeout | undefined
  #reading: Promise<void> | undefined
  /** Whether more may have come while the log is read. */
  #isWoken = false
  #isStopped = false
  /** The last entry of the log that was examined. */
  #position = 0
  /** Entries of this node in the part of the log that has not been examined yet. */
  readonly #own = new Set<string>()

  constructor(database: Database, told: Told) {
    this.#database = database
    this.#told = told
  }

  /** Starts listening. */
  async start(): Promise<void> {
    if (!this.#database.isShared) return
    this.#position = await this.#database.read(lastPosition)
    this.#unlisten = this.#database.onAnnounced(names => {
      const happened = names === 'anything' ? anything : happenedBy(names)
      this.#told.happened(happened)
      if (happened.events.size > 0 || happened.isUnknown) this.#followIn(followMs)
    })
    this.#looking = setInterval(() => {
      this.#followIn(0)
      this.#told.happened({ ...nothing, settings: true })
    }, lookMs).unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#looking)
    clearTimeout(this.#following)
    this.#unlisten()
    await this.#reading
  }

  /** Call with what this node appended to the log. */
  appended(ids: readonly string[]): void {
    if (this.#database.isShared) for (const id of ids) this.#own.add(id)
  }

  /** Notifies the other nodes. */
  tell({ events, boards, sight, agents, settings, webhooks, channels }: Partial<Happened>): void {
    for (const id of events ?? []) this.#database.announce(`events ${id}`)
    for (const id of boards ?? []) this.#database.announce(`board ${id}`)
    for (const webhook of webhooks ?? []) this.#database.announce(`webhook ${webhook}`)
    for (const id of channels ?? []) this.#database.announce(`channels ${id}`)
    if (sight) this.#database.announce('sight')
    if (agents) this.#database.announce('agents')
    if (settings) this.#database.announce('settings')
  }

  #followIn(ms: number): void {
    if (this.#isStopped) return
    if (this.#reading !== undefined) {
      this.#isWoken = true
      return
    }
    this.#following ??= setTimeout(() => {
      this.#following = undefined
      this.#reading = this.#follow()
        .catch(this.#told.onFault)
        .finally(() => {
          this.#reading = undefined
          if (this.#isWoken) this.#followIn(followMs)
        })
      this.#isWoken = false
    }, ms).unref()
  }

  async #follow(): Promise<void> {
    const { written, position, more, held } = await this.#database.read(db => writtenAfter(db, this.#position))
    this.#position = position
    const others = written.filter(({ id }) => !this.#own.delete(id))
    if (others.length > 0) {
      this.#told.written(others)
      this.#told.happened({ ...nothing, events: new Set(others.map(({ boardId }) => boardId)) })
    }
    if (more || held) this.#isWoken = true
  }
}

const nothing: Happened = {
  isUnknown: false,
  events: new Set(),
  boards: new Set(),
  sight: false,
  agents: false,
  settings: false,
  webhooks: new Set(),
  channels: new Set(),
  leases: false,
}

/** Everything that may have happened while this node did not hear; entries of the log are found there. */
const anything: Happened = {
  ...nothing,
  isUnknown: true,
  sight: true,
  agents: true,
  settings: true,
  leases: true,
}

function happenedBy(names: ReadonlySet<string>): Happened {
  const idsOf = (kind: string) =>
    new Set([...names].flatMap(name => (name.startsWith(`${kind} `) ? [name.slice(kind.length + 1)] : [])))
  return {
    isUnknown: false,
    events: idsOf('events'),
    boards: idsOf('board'),
    sight: names.has('sight'),
    agents: names.has('agents'),
    settings: names.has('settings'),
    webhooks: idsOf('webhook'),
    channels: idsOf('channels'),
    leases: names.has(leasesChanged),
  }
}
