import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { DomainError } from '../errors.ts'

/** `dash_` and 48 lower-case hexadecimal digits. */
const keyForm = /^dash_[0-9a-f]{48}$/

/** Whether a text has the form of a key. The checksum is not verified, because older keys have none. */
export const isKey = (text: string): boolean => keyForm.test(text)

/** `dashci_` and 48 lower-case hexadecimal digits. */
const ciTokenForm = /^dashci_[0-9a-f]{48}$/

/** Whether a text has the form of the token of a CI session (evidence 6.2). */
export const isCiToken = (text: string): boolean => ciTokenForm.test(text)

/** A new token of a CI session. It is shown once and never stored. */
export const newCiToken = (): string => `dashci_${randomBytes(24).toString('hex')}`

/** The form of a connection's access tokens (people 3.7). */
const accessTokenForm = /^[\w-]{43}$/

/** Whether a text has the form of an access token of a connection. */
export const isAccessToken = (text: string): boolean => accessTokenForm.test(text)

/** The number of random bytes in a key. */
const randomBytesOfKey = 20

/**
 * A new key: `dash_`, 40 random digits, and the CRC-32 of these 45 characters as 8 digits, which lets a scanner
 * recognise a real key (trust 3). It is shown once and never stored.
 */
export function newKey(): string {
  const random = `dash_${randomBytes(randomBytesOfKey).toString('hex')}`
  return random + crc32(random).toString(16).padStart(8, '0')
}

/** The stored form of a key: its SHA-256, and its first 13 characters to tell keys apart. */
export const storedKey = (key: string): { key_hash: string; api_key_prefix: string } => ({
  key_hash: hash('sha256', key, 'hex'),
  api_key_prefix: key.slice(0, 13),
})

/** 401, one message for all cases, so that a caller cannot tell them apart. */
export const unauthorized = (): DomainError =>
  new DomainError('UNAUTHORIZED', 'A valid API key is needed: send it as "Authorization: Bearer dash_…".')

/** 429, for a caller that makes calls too fast, usually a key (trust 1, mcp 15). */
export const tooManyCalls = (waitMs: number, message = 'This key calls too often. Wait and call again.'): DomainError =>
  new DomainError('RATE_LIMITED', message, {
    retry_after: Math.ceil(waitMs / 1_000),
    retry_after_ms: waitMs,
  })
