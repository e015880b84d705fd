import { hash, randomBytes } from 'node:crypto'
import { DomainError } from '../errors.ts'

/** `dash_` and 24 random bytes in lower-case hex. */
const keyForm = /^dash_[0-9a-f]{48}$/

/** Whether a text has the form of a key. */
export const isKey = (text: string): boolean => keyForm.test(text)

/** A new key. It is shown once and stored nowhere. */
export const newKey = (): string => `dash_${randomBytes(24).toString('hex')}`

/** What is stored of a key: its SHA-256, and the first 13 characters to tell keys apart. */
export const storedKey = (key: string): { key_hash: string; api_key_prefix: string } => ({
  key_hash: hash('sha256', key, 'hex'),
  api_key_prefix: key.slice(0, 13),
})

/** 401, one message for all cases, so that a caller cannot tell them apart. */
export const unauthorized = (): DomainError =>
  new DomainError('UNAUTHORIZED', 'A valid API key is needed: send it as "Authorization: Bearer dash_…".')
