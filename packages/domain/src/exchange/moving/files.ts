import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CopyError, StorageError } from '@specboard/storage'
import type { AttachmentFiles } from '../../delivery/attachments/files/files.ts'
import { hashOf, namedFiles } from '../../delivery/attachments/removal.ts'
import { SecretKey, secretKeyName } from '../../kernel/secret-key.ts'
import type { Db } from '../../schema/database.ts'
import { signingSecrets } from '../../workspace/webhooks/secrets.ts'

/**
 * Copies the files of all attachments from one storage to another and verifies them.
 * @throws CopyError when a file has other bytes than were uploaded; PresentFile when the target has a different one
 */
export async function copyAttachments(
  db: Db,
  from: AttachmentFiles,
  to: AttachmentFiles,
  onProgress: (done: number, total: number) => void,
): Promise<{ readonly files: number; readonly missing: readonly string[] }> {
  const attachments = await namedFiles(db)
  const missing: string[] = []
  for (const [index, { id, path, sha256 }] of attachments.entries()) {
    if ((await from.size(path)) === undefined) missing.push(id)
    // A run that was killed may have copied it.
    else if ((await hashOf(to, path)) !== sha256) {
      const stored = await to.put(path, from.read(path), Number.POSITIVE_INFINITY)
      if (stored.sha256 !== sha256)
        throw new CopyError(
          `The file of the attachment ${id} is not the one that was uploaded. Copy it back from a backup.`,
        )
    }
    onProgress(index + 1, attachments.length)
  }
  return { files: attachments.length - missing.length, missing }
}

/** Where the key to the service's secrets is: in a given file, or in a data folder. */
export type PlaceOfKey = 'given' | 'folder' | 'none'

/**
 * Finds the key to the service's secrets, and puts it into the folder of the target. A given key file stays where it is
 * for PostgreSQL, whose nodes are configured with it.
 * @param given the key file supplied by the operator
 * @throws StorageError FOREIGN_KEY when no key decrypts them, DATABASE_FILLED when the other folder has the key of
 *   another service
 */
export async function copySecretKey(
  db: Db,
  { from, to, keyFile, isShared }: { from: string; to: string; keyFile: string | undefined; isShared: boolean },
): Promise<PlaceOfKey> {
  const own = join(from, secretKeyName)
  const keys = [
    ...(keyFile === undefined ? [] : [{ place: 'given', key: SecretKey.in(keyFile) } as const]),
    ...(existsSync(own) ? [{ place: 'folder', key: SecretKey.in(own) } as const] : []),
  ]
  const found = await opening(keys, db)
  if (found === undefined) {
    if ((await db.selectFrom('secrets').select('name').limit(1).execute()).length === 0) return 'none'
    throw new StorageError(
      'FOREIGN_KEY',
      `No key opens the secrets of the service: set SPECBOARD_SECRET_KEY_FILE as for serving it, or put its ${secretKeyName} into ${from}. If the key is lost, "delete from secrets" in the database ends all sessions.`,
    )
  }
  const { place, key } = found
  if (place === 'given' && isShared) return place
  if (key.keepIn(to)) return place
  throw new StorageError(
    'DATABASE_FILLED',
    `${to} has the ${secretKeyName} of another service. Name an empty folder with --data-dir.`,
  )
}

/**
 * The key that decrypts all secrets; if there are several, preferably one that also decrypts the secret of a webhook.
 * Webhook secrets of a lost key stay until they are rotated.
 */
async function opening<Found extends { readonly key: SecretKey }>(
  keys: readonly Found[],
  db: Db,
): Promise<Found | undefined> {
  const secrets = await db.selectFrom('secrets').select(['name', 'value']).execute()
  const webhooks = await db.selectFrom('webhooks').selectAll().execute()
  const fitting = keys.filter(({ key }) => secrets.every(({ name, value }) => key.unwrap(name, value) !== undefined))
  const signs = (key: SecretKey) => webhooks.some(webhook => signingSecrets(key, webhook, '').length > 0)
  return fitting.find(({ key }) => signs(key)) ?? fitting[0]
}
