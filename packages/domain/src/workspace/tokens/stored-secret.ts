import { randomBytes } from 'node:crypto'
import type { SecretKey } from '../../kernel/secret-key.ts'
import type { Service } from '../../kernel/service/service.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

const secretByName = hot<{ name: string }, { value: string }>((db, param) =>
  db.selectFrom('secrets').select('value').where('name', '=', param('name')),
)

/** The 32 bytes of a stored secret; created if it does not exist. */
export async function makeSecret(db: Db, secretKey: SecretKey, name: string): Promise<Buffer> {
  const value = secretKey.wrap(name, randomBytes(32))
  await db
    .insertInto('secrets')
    .values({ name, value })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const [row] = await secretByName(db, { name })
  return secretKey.unwrap(name, row!.value)!
}

/**
 * A secret that signs tokens: created once and stored in the database, so that its tokens survive a restart. It is
 * encrypted with the key of the data folder, so that the database alone can sign nothing (trust 5).
 */
export class StoredSecret {
  readonly #service: Service
  readonly #name: string
  #bytes: Buffer | undefined

  constructor(service: Service, name: string) {
    this.#service = service
    this.#name = name
  }

  /** The 32 bytes of the secret. */
  async read(): Promise<Buffer> {
    this.#bytes ??= await this.#stored()
    return this.#bytes
  }

  async #stored(): Promise<Buffer> {
    const { database, environment } = this.#service
    const name = this.#name
    const [stored] = await database.read(db => secretByName(db, { name }))
    if (stored !== undefined) return environment.secretKey.unwrap(name, stored.value)!
    return database.write(db => makeSecret(db, environment.secretKey, name), { lock: `secret ${name}` })
  }
}
