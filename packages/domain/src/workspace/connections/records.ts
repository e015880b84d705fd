/** The stored records of client authorization: codes and tokens by their hashes (people 3.7). */
import { hash } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import type { Service } from '../../kernel/service/service.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { OauthRecordsTable } from '../../schema/tables.ts'
import { connectionOfGrant, type EndedReason, endConnection } from './store.ts'

/** The stored form of an issued code or token. */
const recordHash = (id: string): string => hash('sha256', id, 'hex')

/** A record, as the authorization library defines it. */
export interface OauthRecord {
  readonly payload: Readonly<Record<string, unknown>>
  readonly grantId: string | null
  readonly consumedAt: string | null
}

const byHash = hot<{ kind: string; hash: string }, OauthRecordsTable>((db, param) =>
  db.selectFrom('oauth_records').selectAll().where('kind', '=', param('kind')).where('id', '=', param('hash')),
)

const recordOf = ({ payload, grant_id, consumed_at }: OauthRecordsTable): OauthRecord => ({
  payload: parseJson(payload) as OauthRecord['payload'],
  grantId: grant_id,
  consumedAt: consumed_at,
})

/** How many expired records are removed with each new one. */
const removedAtOnce = 50

/** The records of client authorization, in the database of all nodes. */
export class OauthRecords {
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  /** Stores a record, and removes some that have expired. */
  async put(
    kind: string,
    id: string,
    { payload, grantId, expiresInS }: { payload: object; grantId: string | undefined; expiresInS: number },
  ): Promise<void> {
    const now = this.#service.environment.clock()
    const row: OauthRecordsTable = {
      kind,
      id: recordHash(id),
      grant_id: grantId ?? null,
      uid: null,
      payload: toJson(payload as Record<string, unknown>),
      consumed_at: null,
      expires_at: new Date(now + 1_000 * expiresInS).toISOString(),
    }
    await this.#write(kind, id, async db => {
      await db
        .insertInto('oauth_records')
        .values(row)
        .onConflict(conflict =>
          conflict.columns(['kind', 'id']).doUpdateSet({ payload: row.payload, expires_at: row.expires_at }),
        )
        .execute()
      await db
        .deleteFrom('oauth_records')
        .where('expires_at', 'in', old =>
          old
            .selectFrom('oauth_records')
            .select('expires_at')
            .where('expires_at', '<', new Date(now - 60_000).toISOString())
            .orderBy('expires_at')
            .limit(removedAtOnce),
        )
        .execute()
    })
  }

  /** A stored record, used or not; undefined if there is none, or it has expired. */
  async find(kind: string, id: string): Promise<OauthRecord | undefined> {
    const [row] = await this.#service.database.read(db => byHash(db, { kind, hash: recordHash(id) }))
    const isOver = row === undefined || Date.parse(row.expires_at) <= this.#service.environment.clock()
    return isOver ? undefined : recordOf(row)
  }

  /**
   * Records the first use of a record.
   * @returns whether this was the first
   */
  async consume(kind: string, id: string): Promise<boolean> {
    const consumed_at = new Date(this.#service.environment.clock()).toISOString()
    const used = await this.#write(kind, id, db =>
      db
        .updateTable('oauth_records')
        .set({ consumed_at })
        .where('kind', '=', kind)
        .where('id', '=', recordHash(id))
        .where('consumed_at', 'is', null)
        .returning('id')
        .execute(),
    )
    return used.length > 0
  }

  /** Removes a record. */
  async remove(kind: string, id: string): Promise<void> {
    await this.#write(kind, id, db =>
      db.deleteFrom('oauth_records').where('kind', '=', kind).where('id', '=', recordHash(id)).execute(),
    )
  }

  /** Ends the connection that tokens belong to, in the name of its person. */
  async end(grantId: string, reason: EndedReason): Promise<void> {
    const connection = await this.#service.database.read(db => connectionOfGrant(db, grantId))
    const { environment } = this.#service
    const person = connection && (await this.#service.agent(connection.person_id))
    if (connection === undefined || person === undefined) return
    const caller = { ...person.caller, via: 'connection' as const }
    await this.#service.write(caller, (ctx: Context) => endConnection(ctx, connection, reason), 'http')
    if (reason === 'reuse') environment.streams.inboxChanged(connection.person_id)
  }

  #write<Value>(kind: string, id: string, run: (db: Db) => Promise<Value>): Promise<Value> {
    return this.#service.database.write(run, { lock: `oauth ${kind} ${recordHash(id)}` })
  }
}
