/**
 * The secrets that sign a webhook's messages, as they are stored: encrypted with the key of the data folder (trust 5).
 */
import { randomBytes } from 'node:crypto'
import type { SecretKey } from '../../kernel/secret-key.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { FormerSecret } from '../../schema/contents.ts'
import type { WebhooksTable } from '../../schema/tables.ts'
import { maxFormerSecrets, overlapMs } from './rules.ts'

/**
 * The name under which the secrets of a webhook are encrypted, so that the secret of one webhook cannot be decrypted as
 * that of another.
 */
const nameOf = (id: string): string => `webhook ${id}`

/** A new secret, as it is shown once and as it is stored. */
export function makeSecret(key: SecretKey, id: string): { readonly secret: string; readonly stored: string } {
  const bytes = randomBytes(32)
  return { secret: `whsec_${bytes.toString('base64')}`, stored: key.wrap(nameOf(id), bytes) }
}

/** The replaced secrets that still sign at a time, newest first. */
function formerSecrets(
  { former_secret: secret, former_secret_until: until, earlier_secrets }: WebhooksTable,
  now: string,
): FormerSecret[] {
  const last = secret === null || until === null ? [] : [{ secret, until }]
  const earlier = earlier_secrets === null ? [] : parseJson(earlier_secrets)
  return [...last, ...earlier].filter(former => former.until > now)
}

/** The secrets that sign at a time, newest first; empty when the key of the folder was lost. */
export const signingSecrets = (key: SecretKey, webhook: WebhooksTable, now: string): readonly string[] =>
  [webhook.secret, ...formerSecrets(webhook, now).map(({ secret }) => secret)].flatMap(stored => {
    const bytes = key.unwrap(nameOf(webhook.id), stored)
    return bytes === undefined ? [] : [bytes.toString('base64')]
  })

/**
 * The columns of a webhook whose secret is replaced. Each former secret signs until its own expiry; only the newest few
 * are kept.
 */
export function replacedSecret(webhook: WebhooksTable, stored: string, now: string) {
  const until = new Date(Date.parse(now) + overlapMs).toISOString()
  const earlier = formerSecrets(webhook, now).slice(0, maxFormerSecrets - 1)
  return {
    secret: stored,
    former_secret: webhook.secret,
    former_secret_until: until,
    earlier_secrets: earlier.length === 0 ? null : toJson(earlier),
  }
}
