import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readWithoutLock, SecretKey, secretKeyName } from '@specboard/domain'
import { databaseFile } from '@specboard/storage'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'
import { placeOf, type Settings } from './settings.ts'

/** Checks the key that encrypts the secrets: whether it exists, is valid, and decrypts what is stored (trust 5). */
export async function secretFindings(settings: Settings): Promise<Finding[]> {
  const { dataDir: folder, databaseUrl, secretKeyFile } = settings
  if (databaseUrl === undefined && !existsSync(databaseFile(folder))) return []
  const name = secretKeyFile ?? secretKeyName
  const file = secretKeyFile ?? join(folder, secretKeyName)
  if (!existsSync(file)) return [missing(settings, name)]
  try {
    const key = SecretKey.in(file)
    const stored = await storedSecrets(settings)
    const closed = stored.filter(({ name: secret, value }) => key.unwrap(secret, value) === undefined)
    return [closed.length === 0 ? { name, ok: true, says: 'there' } : wrong(settings, name, closed.length)]
  } catch (error) {
    return [{ name, ok: false, says: explain(error) }]
  }
}

/** A database that cannot be read is reported by other findings. */
const storedSecrets = (settings: Settings) =>
  readWithoutLock(placeOf(settings), db => db.selectFrom('secrets').select(['name', 'value']).execute()).catch(() => [])

function missing({ secretKeyFile, databaseUrl }: Settings, name: string): Finding {
  if (secretKeyFile !== undefined)
    return { name, ok: false, says: 'no such file; SPECBOARD_SECRET_KEY_FILE must name the key of the secrets' }
  if (databaseUrl !== undefined)
    return {
      name,
      ok: false,
      says: 'missing: a node here does not start alongside others; copy their key, or name it with SPECBOARD_SECRET_KEY_FILE',
    }
  const effect = 'the next start creates one, MCP sessions and upload tickets end, and webhooks need new secrets'
  return { name, ok: false, says: `missing; ${effect}` }
}

function wrong({ databaseUrl }: Settings, name: string, count: number): Finding {
  const effect =
    databaseUrl === undefined
      ? 'the next start would end MCP sessions, upload tickets and webhooks'
      : 'a node with it does not start'
  return {
    name,
    ok: false,
    says: `another key wrapped ${count} of the stored secrets; restore the right one from a backup: ${effect}`,
  }
}
