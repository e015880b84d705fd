/** The secrets with which a forge signs what it sends, as they are stored: wrapped by the key of the data folder (trust 5). */
import { randomBytes } from 'node:crypto'
import type { SecretKey } from '../../kernel/secret-key.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { FormerSecret, RepositoriesTable } from '../../schema/tables.ts'

/** How many former secrets verify at once. */
const mostFormer = 5

const hourMs = 3_600_000

const secretBytes = 32

/** Under which name the secrets of a repository are wrapped, so that none opens as that of another. */
const nameOf = (id: string): string => `repository ${id}`

/** A secret, the one that is given or a new one, as it is shown once and as it is stored. */
export function makeRepositorySecret(
  key: SecretKey,
  id: string,
  given?: string,
): { readonly shown: string; readonly stored: string } {
  const shown = given ?? `whsec_${randomBytes(secretBytes).toString('base64')}`
  return { shown, stored: key.wrap(nameOf(id), Buffer.from(shown)) }
}

/** The columns of a repository whose secret is replaced: each former one verifies until its own time. */
export function replacedRepositorySecret(
  { secret, former_secrets }: Pick<RepositoriesTable, 'secret' | 'former_secrets'>,
  stored: string,
  { now, overlapHours }: { readonly now: string; readonly overlapHours: number },
) {
  const until = new Date(Date.parse(now) + overlapHours * hourMs).toISOString()
  const former: FormerSecret[] = [{ secret, until }, ...parseJson(former_secrets)]
  return { secret: stored, former_secrets: toJson(former.filter(each => each.until > now).slice(0, mostFormer)) }
}

/** The secrets that verify at a time; none where the key of the folder was lost. */
export const verifyingSecrets = (
  key: SecretKey,
  { id, secret, former_secrets }: Pick<RepositoriesTable, 'id' | 'secret' | 'former_secrets'>,
  now: string,
): string[] =>
  [secret, ...parseJson(former_secrets).flatMap(former => (former.until > now ? [former.secret] : []))].flatMap(
    stored => key.unwrap(nameOf(id), stored)?.toString() ?? [],
  )
