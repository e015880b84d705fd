import type { Service } from '../../kernel/service/service.ts'

/** Units of work that change used tickets run one after the other. */
const lock = { lock: 'mcp tickets' }

/**
 * Single-use values by hash, such as upload tickets (mcp 10) and confirmations (people 4); each has a row until it
 * expires.
 */
export class UsedTickets {
  readonly #service: Pick<Service, 'database' | 'environment'>

  constructor(service: Pick<Service, 'database' | 'environment'>) {
    this.#service = service
  }

  /**
   * Marks a ticket as used. One of two concurrent calls fails.
   * @param expiresAt ms since the epoch
   * @returns whether the ticket was unused
   */
  async use(hash: string, expiresAt: number): Promise<boolean> {
    const now = new Date(this.#service.environment.clock()).toISOString()
    return this.#service.database.write(async db => {
      await db.deleteFrom('mcp_used_tickets').where('expires_at', '<=', now).execute()
      const marked = await db
        .insertInto('mcp_used_tickets')
        .values({ id_hash: hash, expires_at: new Date(expiresAt).toISOString() })
        .onConflict(conflict => conflict.column('id_hash').doNothing())
        .returning('id_hash')
        .executeTakeFirst()
      return marked !== undefined
    }, lock)
  }

  /** Makes a ticket unused again. */
  async release(hash: string): Promise<void> {
    await this.#service.database.write(
      db => db.deleteFrom('mcp_used_tickets').where('id_hash', '=', hash).execute(),
      lock,
    )
  }
}
