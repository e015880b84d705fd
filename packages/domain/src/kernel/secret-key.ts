import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '@specboard/storage'
import type { Database } from '../schema/database.ts'

/** The file beside the database that holds the key (trust 5). */
export const secretKeyName = 'secret.key'

const algorithm = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** What a wrapped secret begins with; base64url of a secret that is not wrapped has no dot. */
const wrapped = /^v1\.([\w-]+)$/

/**
 * The key that wraps the service's secrets. It lies in a file of its own, so that a copy of the database alone signs
 * nothing (trust 5).
 */
export class SecretKey {
  readonly #key: Buffer

  private constructor(key: Buffer) {
    this.#key = key
  }

  /** The key of a data folder. Makes one where there is none, or where the file does not hold one. */
  static of(folder: string): SecretKey {
    const file = join(folder, secretKeyName)
    if (existsSync(file)) {
      const key = readFileSync(file)
      if (key.length === keyBytes) return new SecretKey(key)
      rmSync(file)
    }
    const key = randomBytes(keyBytes)
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      writeSync(descriptor, key)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    syncFolder(folder)
    return new SecretKey(key)
  }

  /** A secret as it is stored, bound to its name. */
  wrap(name: string, secret: Buffer): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(name))
    const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
    return `v1.${sealed.toString('base64url')}`
  }

  /** A stored secret; undefined when it is not wrapped, or not by this key under this name. */
  unwrap(name: string, stored: string): Buffer | undefined {
    const sealed = Buffer.from(wrapped.exec(stored)?.[1] ?? '', 'base64url')
    if (sealed.length < nonceBytes + tagBytes) return undefined
    const decipher = createDecipheriv(algorithm, this.#key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(name))
      .setAuthTag(sealed.subarray(-tagBytes))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()])
    } catch {
      return undefined
    }
  }
}

/**
 * Removes the secrets that a key does not open, at the start: those of a lost key, and those that an older version
 * stored as they are. Whatever they signed, sessions and tickets, ends; new ones are made when they are needed.
 * @returns how many there were
 */
export async function removeForeignSecrets(database: Database, key: SecretKey): Promise<number> {
  const stored = await database.read(db => db.selectFrom('secrets').select(['name', 'value']).execute())
  const foreign = stored.filter(({ name, value }) => key.unwrap(name, value) === undefined).map(({ name }) => name)
  if (foreign.length > 0) await database.write(db => db.deleteFrom('secrets').where('name', 'in', foreign).execute())
  return foreign.length
}
