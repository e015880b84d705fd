import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError, syncFolder } from '@specboard/storage'
import type { Database } from '../schema/database.ts'

/** The file next to the database that holds the key (trust 5). */
export const secretKeyName = 'secret.key'

const algorithm = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** The prefix of an encrypted secret; the base64url of a plain secret contains no dot. */
const wrapped = /^v1\.([\w-]+)$/

/** A key as text, such as `openssl rand -base64 32` prints. */
const textOfKey = /^(?:[\da-f]{64}|[\w+/-]{43}=?)$/i

/**
 * The key that encrypts the service's secrets. It is in a file of its own, so that a copy of the database alone can
 * sign nothing (trust 5). Nodes that share a database have the same key.
 */
export class SecretKey {
  readonly #key: Buffer

  private constructor(key: Buffer) {
    this.#key = key
  }

  /**
   * The key of a service: from the given file, or else from the data folder. Creates one if the folder has none, or if
   * its file does not hold one.
   * @param keyFile the file supplied by the operator
   * @throws StorageError FOREIGN_KEY if the given file holds no key, or cannot be read
   */
  static of(folder: string, keyFile?: string): SecretKey {
    if (keyFile !== undefined) return SecretKey.in(keyFile)
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

  /**
   * The key in a file: 32 bytes, raw, in base64 or in hexadecimal digits.
   * @throws StorageError FOREIGN_KEY if it holds no key, or cannot be read
   */
  static in(file: string): SecretKey {
    const bytes = bytesOf(file)
    if (bytes.length === keyBytes) return new SecretKey(bytes)
    const text = bytes.toString('latin1').trim()
    if (!textOfKey.test(text))
      throw new StorageError('FOREIGN_KEY', `${file} has no key: it must be 32 bytes: raw, base64 or hexadecimal.`)
    return new SecretKey(Buffer.from(text, text.length === 2 * keyBytes ? 'hex' : 'base64'))
  }

  /** Writes the key into a folder that has none; returns whether the folder holds this key now. */
  keepIn(folder: string): boolean {
    const file = join(folder, secretKeyName)
    if (existsSync(file)) return readFileSync(file).equals(this.#key)
    writeFileSync(file, this.#key, { flag: 'wx', mode: 0o600, flush: true })
    syncFolder(folder)
    return true
  }

  /** A key for one purpose, shared by everyone with this key, which reveals nothing about it. */
  derived(purpose: string): Buffer {
    return createHmac('sha256', this.#key).update(purpose).digest()
  }

  /** A secret encrypted for storage, bound to its name. */
  wrap(name: string, secret: Buffer): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(name))
    const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
    return `v1.${sealed.toString('base64url')}`
  }

  /** A stored secret, decrypted; undefined when it is not encrypted, or not by this key under this name. */
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

/** The content of a file with a key; without a message of its own, a missing one would look like a missing folder. */
function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    const says = `${file}, which should have the key of the secrets, cannot be read${code}: check SPECBOARD_SECRET_KEY_FILE.`
    throw new StorageError('FOREIGN_KEY', says, { cause: error })
  }
}

/** The secret by which a node checks that it has the same key as the others. */
const mark = 'key'

/**
 * At start, rejects a key that cannot decrypt what other nodes have encrypted: it would end their sessions.
 * @throws StorageError FOREIGN_KEY
 */
export async function refuseForeignKey(database: Database, key: SecretKey): Promise<void> {
  const value = key.wrap(mark, randomBytes(keyBytes))
  const stored = await database.write(
    async db => {
      await db
        .insertInto('secrets')
        .values({ name: mark, value })
        .onConflict(conflict => conflict.column('name').doNothing())
        .execute()
      return db.selectFrom('secrets').select(['name', 'value']).execute()
    },
    { lock: `secret ${mark}` },
  )
  if (stored.some(({ name, value }) => key.unwrap(name, value) === undefined))
    throw new StorageError(
      'FOREIGN_KEY',
      'The secrets in the database were encrypted with another key. Give every node the same SPECBOARD_SECRET_KEY_FILE. If the key is lost, "delete from secrets" in the database ends all sessions, and the next start takes the new key.',
    )
}

/**
 * At start, removes the secrets that a key cannot decrypt: those of a lost key, and those that an older version stored
 * in plain text. Sessions and tickets signed with them end; new secrets are made when needed.
 * @returns how many were removed
 */
export async function removeForeignSecrets(database: Database, key: SecretKey): Promise<number> {
  const stored = await database.read(db => db.selectFrom('secrets').select(['name', 'value']).execute())
  const foreign = stored.filter(({ name, value }) => key.unwrap(name, value) === undefined).map(({ name }) => name)
  if (foreign.length > 0) await database.write(db => db.deleteFrom('secrets').where('name', 'in', foreign).execute())
  return foreign.length
}
