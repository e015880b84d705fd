/** The known MCP clients (people 3.6). */
import type { SecretKey } from '../../kernel/secret-key.ts'
import type { Service } from '../../kernel/service/service.ts'
import { hot } from '../../schema/hot.ts'
import type { OauthClientsTable } from '../../schema/tables.ts'

/** A client with its metadata. */
export interface KnownClient {
  readonly origin: OauthClientsTable['origin']
  readonly metadata: Readonly<Record<string, unknown>>
  /** Until when its document need not be read again, ms since the epoch; undefined for a registered client. */
  readonly freshUntil: number | undefined
}

const byId = hot<{ id: string }, OauthClientsTable>((db, param) =>
  db.selectFrom('oauth_clients').selectAll().where('id', '=', param('id')),
)

const day = 24 * 3_600_000

/** The maximum number of registrations in a day, by everybody together (people 3.6). */
const maxPerDay = 200

/** The maximum number of stored clients. */
const maxClients = 1_000

/** The clients in the database of all nodes. Their data may contain secrets, and is encrypted. */
export class OauthClients {
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  /** A client by its id; undefined if unknown. */
  async find(id: string): Promise<KnownClient | undefined> {
    const { database, environment } = this.#service
    const [row] = await database.read(db => byId(db, { id }))
    const bytes = row && environment.secretKey.unwrap(sealedAs(id), row.metadata)
    if (row === undefined || bytes === undefined) return undefined
    const freshUntil = row.fresh_until === null ? undefined : Date.parse(row.fresh_until)
    return { origin: row.origin, metadata: JSON.parse(bytes.toString()), freshUntil }
  }

  /** Whether one more client may register itself today. */
  async hasRoom(): Promise<boolean> {
    const since = new Date(this.#now - day).toISOString()
    const { count } = await this.#service.database.read(db =>
      db
        .selectFrom('oauth_clients')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('created_at', '>', since)
        .where('origin', '=', 'registered')
        .executeTakeFirstOrThrow(),
    )
    return Number(count) < maxPerDay
  }

  /** Stores a client, and removes those that only registered and did nothing else. */
  async put(id: string, { origin, metadata, freshUntil }: KnownClient): Promise<void> {
    const { database, environment } = this.#service
    const now = new Date(this.#now).toISOString()
    const sealed = sealedClient(environment.secretKey, id, metadata)
    const changed = {
      metadata: sealed,
      fresh_until: freshUntil === undefined ? null : new Date(freshUntil).toISOString(),
    }
    await database.write(
      async db => {
        await db
          .insertInto('oauth_clients')
          .values({ id, origin, created_at: now, used_at: null, ...changed })
          .onConflict(conflict => conflict.column('id').doUpdateSet(changed))
          .execute()
        await db
          .deleteFrom('oauth_clients')
          .where('origin', '<>', 'hand')
          .where('used_at', 'is', null)
          .where('created_at', '<', new Date(this.#now - day).toISOString())
          .execute()
        await db
          .deleteFrom('oauth_clients')
          .where('origin', '<>', 'hand')
          .where('used_at', '<', new Date(this.#now - 90 * day).toISOString())
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('connections')
                  .select('connections.id')
                  .whereRef('connections.client_id', '=', 'oauth_clients.id')
                  .where('connections.ended_at', 'is', null),
              ),
            ),
          )
          .execute()
        await db
          .deleteFrom('oauth_clients')
          .where('id', 'in', old =>
            old
              .selectFrom('oauth_clients')
              .select('id')
              .where('origin', '<>', 'hand')
              .orderBy('created_at', 'desc')
              .orderBy('id', 'desc')
              .limit(1_000_000)
              .offset(maxClients),
          )
          .execute()
      },
      { lock: 'oauth clients' },
    )
    if (origin === 'registered') await this.#service.recordClient(id, String(metadata.client_name))
  }

  /** Records that a client is used by a connection. */
  async used(id: string): Promise<void> {
    const used_at = new Date(this.#now).toISOString()
    await this.#service.database.write(
      db => db.updateTable('oauth_clients').set({ used_at }).where('id', '=', id).execute(),
      { lock: 'oauth clients' },
    )
  }

  get #now(): number {
    return this.#service.environment.clock()
  }
}

/** A client's data, as it is stored: it may contain secrets. */
export const sealedClient = (secretKey: SecretKey, id: string, metadata: Readonly<Record<string, unknown>>): string =>
  secretKey.wrap(sealedAs(id), Buffer.from(JSON.stringify(metadata)))

const sealedAs = (id: string): string => `oauth client ${id}`
