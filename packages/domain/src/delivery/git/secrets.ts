/**
 * The secrets with which a forge signs its events, as they are stored: encrypted with the key of the data folder (trust
 * 5).
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import type { SecretKey } from '../../kernel/secret-key.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { FormerSecret } from '../../schema/contents.ts'
import type { RepositoriesTable } from '../../schema/tables.ts'

/** Maximum number of former secrets that are accepted at once. */
const maxFormer = 5

const hourMs = 3_600_000

const secretBytes = 32

/** The name under which the secrets of a repository are encrypted, so that none can be decrypted as that of another. */
const nameOf = (id: string): string => `repository ${id}`

/** A secret, given or new, as it is shown once and as it is stored. */
export function makeRepositorySecret(
  key: SecretKey,
  id: string,
  secret?: string,
): { readonly plaintext: string; readonly stored: string } {
  const plaintext = secret ?? `whsec_${randomBytes(secretBytes).toString('base64')}`
  return { plaintext, stored: key.wrap(nameOf(id), Buffer.from(plaintext)) }
}

/** The columns of a repository whose secret is replaced: each former one is accepted until its own expiry. */
export function replacedRepositorySecret(
  { secret, secret_seen_by, former_secrets }: Pick<RepositoriesTable, 'secret' | 'secret_seen_by' | 'former_secrets'>,
  stored: string,
  {
    now,
    overlapHours,
    seenBy,
  }: { readonly now: string; readonly overlapHours: number; readonly seenBy: string | null },
) {
  const until = new Date(Date.parse(now) + overlapHours * hourMs).toISOString()
  const former: FormerSecret[] = [{ secret, until, seen_by: secret_seen_by }, ...parseJson(former_secrets)]
  return {
    secret: stored,
    secret_seen_by: seenBy,
    former_secrets: toJson(former.filter(each => each.until > now).slice(0, maxFormer)),
  }
}

/** Who is shown a secret, and might confirm their own work with it; null for a present person (git 6). */
export const secretViewer = ({ caller }: Pick<Context, 'caller'>): string | null => (caller.present ? null : caller.id)

type Secrets = Pick<RepositoriesTable, 'id' | 'secret' | 'secret_seen_by' | 'former_secrets'>

/** Who was shown a secret when it was previously one of a repository; null if it was not, or was a present person's. */
export const formerSecretViewer = (key: SecretKey, repository: Secrets, secret: string): string | null =>
  verifyingSecrets(key, repository, '').find(former => former.secret === secret)?.seenBy ?? null

/** A secret that is accepted. */
export interface VerifyingSecret {
  readonly secret: string
  /** Who was shown it, unless that was a present person. */
  readonly seenBy: string | null
}

/** The secrets accepted at a time, newest first; empty if the key of the folder was lost. */
export const verifyingSecrets = (key: SecretKey, repository: Secrets, now: string): VerifyingSecret[] => {
  const { id, secret, secret_seen_by, former_secrets } = repository
  const former = parseJson(former_secrets).filter(({ until }) => until > now)
  return [{ secret, seen_by: secret_seen_by }, ...former].flatMap(({ secret: stored, seen_by }) => {
    const opened = key.unwrap(nameOf(id), stored)?.toString()
    return opened === undefined ? [] : [{ secret: opened, seenBy: seen_by ?? null }]
  })
}
