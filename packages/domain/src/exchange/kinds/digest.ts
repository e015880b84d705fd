import { createHash } from 'node:crypto'
import { canonicalJson } from '../../lib/canonical-json.ts'

/** A short digest of an imported value, to tell later whether it still stands. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 16)
