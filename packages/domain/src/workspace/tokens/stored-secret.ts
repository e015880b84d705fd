import { randomBytes } from 'node:crypto'
import type { Service } from '../../kernel/service/service.ts'
import { hot } from '../../schema/hot.ts'

const secretByName = hot<{ name: string }, { value: string }>((db, param) =>
  db.selectFrom('secrets').select('value').where('name', '=', param('name')),
)

/** A secret that signs tokens. It is generated once and stored in the database, so that tokens survive a restart. */
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
    const { database } = this.#service
    const name = this.#name
    const [stored] = await database.read(db => secretByName(db, { name }))
    if (stored !== undefined) return Buffer.from(stored.value, 'base64url')
    return database.write(async db => {
      const value = randomBytes(32).toString('base64url')
      await db
        .insertInto('secrets')
        .values({ name, value })
        .onConflict(conflict => conflict.doNothing())
        .execute()
      const [kept] = await secretByName(db, { name })
      return Buffer.from(kept!.value, 'base64url')
    })
  }
}
