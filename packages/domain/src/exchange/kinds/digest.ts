import { hash } from 'node:crypto'
import { canonicalJson } from '../../lib/canonical-json.ts'

/** A short digest of an imported value, to tell later whether it is unchanged. */
export const digestOf = (value: unknown): string => hash('sha256', canonicalJson(value), 'base64url').slice(0, 16)
