import type { ChangeNotice } from './kernel/followers/change-notice.ts'
import { leasesChanged } from './kernel/leases.ts'
import { lastPosition } from './kernel/log-places.ts'
import type { WrittenEntry } from './kernel/service/announcements.ts'
import type { Database } from './schema/database.ts'
import { writtenAfter } from './workspace/events/store.ts'

/** The kinds of change that name boards or other ids, each with the word that announces it. */
const named = [
  ['events', 'events'],
  ['calls', 'board'],
  ['webhooks', 'webhook'],
  ['channels', 'channels'],
  ['inboxes', 'inbox'],
] as const

/** The other kinds of change that one node announces to the others. */
const plain = [
  ['access', 'sight'],
  ['agents', 'agents'],
  ['settings', 'settings'],
] as const

/** How often the log is checked for entries that were not announced, ms. */
const lookMs = 2_000

/** How soon the log is checked after an announcement, and again while entries wait for earlier ones, ms. */
const followMs = 25

/** Callbacks for what other nodes do. */
export interface NodeCallbacks {
  readonly onNotice: (notice: ChangeNotice) => void
  /** The entries that other nodes appended to the log, each once. */
  readonly written: (written: readonly WrittenEntry[]) => void
  readonly onFault: (error: unknown) => void
}

/**
 * Follows what other nodes on the same database do. A node notifies the others after its commits; whatever is lost
 * because a node was killed or its connection broke is found in the log.
 */
export class OtherNodes {
  readonly #database: Database
  readonly #told: NodeCallbacks
  #unlisten: () => void = () => {}
  #looking: NodeJS.Timeout | undefined
  #following: NodeJS.Timeout | undefined
  #reading: Promise<void> | undefined
  /** Whether there may be new entries since the current read of the log began. */
  #isWoken = false
  #isStopped = false
  /** The last entry of the log that was examined. */
  #position = 0
  /** Entries of this node in the part of the log that has not been examined yet. */
  readonly #own = new Set<string>()

  constructor(database: Database, callbacks: NodeCallbacks) {
    this.#database = database
    this.#told = callbacks
  }

  /** Starts listening. */
  async start(): Promise<void> {
    if (!this.#database.isShared) return
    this.#position = await this.#database.read(lastPosition)
    this.#unlisten = this.#database.onAnnounced(names => {
      const notice = names === 'anything' ? anything : happenedBy(names)
      this.#told.onNotice(notice)
      if ((notice.events?.size ?? 0) > 0 || notice.unheard) this.#followIn(followMs)
    })
    this.#looking = setInterval(() => {
      this.#followIn(0)
      this.#told.onNotice({ settings: true })
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
  announce(notice: ChangeNotice): void {
    for (const [kind, word] of named) for (const id of notice[kind] ?? []) this.#database.announce(`${word} ${id}`)
    for (const [kind, word] of plain) if (notice[kind]) this.#database.announce(word)
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
    const { written: entries, position, more, held } = await this.#database.read(db => writtenAfter(db, this.#position))
    this.#position = position
    const others = entries.filter(({ id }) => !this.#own.delete(id))
    if (others.length > 0) {
      this.#told.written(others)
      this.#told.onNotice({ events: new Set(others.map(({ boardId }) => boardId)) })
    }
    if (more || held) this.#isWoken = true
  }
}

/** Everything that may have happened while this node was not listening; new entries are found in the log itself. */
const anything: ChangeNotice = { unheard: true, access: true, agents: true, settings: true, leases: true }

function happenedBy(names: ReadonlySet<string>): ChangeNotice {
  const idsOf = (word: string) =>
    new Set([...names].flatMap(name => (name.startsWith(`${word} `) ? [name.slice(word.length + 1)] : [])))
  return {
    ...Object.fromEntries(named.map(([kind, word]) => [kind, idsOf(word)])),
    ...Object.fromEntries(plain.map(([kind, word]) => [kind, names.has(word)])),
    leases: names.has(leasesChanged),
  }
}
