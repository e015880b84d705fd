/** The secrets that sign what a webhook sends, as they are stored: wrapped by the key of the data folder (trust 5). */
import { randomBytes } from 'node:crypto'
import type { SecretKey } from '../../kernel/secret-key.ts'
import type { WebhooksTable } from '../../schema/tables.ts'

/** Under which name the secrets of a webhook are wrapped, so that none opens as that of another. */
const nameOf = (id: string): string => `webhook ${id}`

/** A new secret, as it is shown once and as it is stored. */
export function makeSecret(key: SecretKey, id: string): { readonly shown: string; readonly stored: string } {
  const bytes = randomBytes(32)
  return { shown: `whsec_${bytes.toString('base64')}`, stored: key.wrap(nameOf(id), bytes) }
}

/** The secrets that sign at a time, the newest first; none when the key of the folder was lost. */
export function signingSecrets(
  key: SecretKey,
  { id, secret, former_secret, former_secret_until }: WebhooksTable,
  now: string,
): readonly string[] {
  const former = former_secret_until !== null && former_secret_until > now ? former_secret : null
  return [secret, former].flatMap(stored => {
    const bytes = stored === null ? undefined : key.unwrap(nameOf(id), stored)
    return bytes === undefined ? [] : [bytes.toString('base64')]
  })
}
