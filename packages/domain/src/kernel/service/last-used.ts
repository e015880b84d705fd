import type { ServiceDatabase } from './composition.ts'

const everyMs = 60_000

/** Updates when keys and connections were last used, each at most once in 60 s. */
export class LastUsed {
  readonly #database: ServiceDatabase
  readonly #clock: () => number
  readonly #onFault: (error: unknown) => void
  /** When each agent was last recorded here, ms since 1970. */
  readonly #noted = new Map<string, number>()

  constructor(database: ServiceDatabase, clock: () => number, onFault: (error: unknown) => void) {
    this.#database = database
    this.#clock = clock
    this.#onFault = onFault
  }

  /** Records a call of an agent. */
  agent(id: string, lastUsedAt: string | null): void {
    const now = this.#clock()
    const last = this.#noted.get(id) ?? (lastUsedAt === null ? 0 : Date.parse(lastUsedAt))
    if (now - last < everyMs) return
    this.#noted.set(id, now)
    this.#set('agents', id, now, `agent ${id}`)
  }

  /** Records the use of a connection. */
  connection(id: string, lastUsedAt: string): void {
    const now = this.#clock()
    if (now - Date.parse(lastUsedAt) >= everyMs) this.#set('connections', id, now)
  }

  #set(table: 'agents' | 'connections', id: string, now: number, lock?: string): void {
    this.#database
      .write(
        db =>
          db
            .updateTable(table)
            .set({ last_used_at: new Date(now).toISOString() })
            .where('id', '=', id)
            .execute(),
        lock === undefined ? {} : { lock },
      )
      .catch(this.#onFault)
  }
}
