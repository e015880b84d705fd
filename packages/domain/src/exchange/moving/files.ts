import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CopyError, StorageError, syncFolder } from '@specboard/storage'
import type { AttachmentFiles } from '../../delivery/attachments/files/files.ts'
import { hashOf, namedFiles } from '../../delivery/attachments/removal.ts'
import { secretKeyName } from '../../kernel/secret-key.ts'
import type { Db } from '../../schema/database.ts'

/**
 * Copies the files of all attachments from one place into another one and verifies them.
 * @throws CopyError when a file holds other bytes than were uploaded
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
          `The file of the attachment ${id} holds other bytes than were uploaded. Copy it back from a backup.`,
        )
    }
    onProgress(index + 1, attachments.length)
  }
  return { files: attachments.length - missing.length, missing }
}

/**
 * Copies the key that opens the service's secrets.
 * @throws StorageError DATABASE_FILLED when the other folder has the key of another service
 */
export function copySecretKey(from: string, to: string): void {
  const [source, target] = [join(from, secretKeyName), join(to, secretKeyName)]
  if (!existsSync(source)) return
  const key = readFileSync(source)
  if (existsSync(target)) {
    if (readFileSync(target).equals(key)) return
    throw new StorageError(
      'DATABASE_FILLED',
      `${to} holds the ${secretKeyName} of another service. Name an empty folder with --data-dir.`,
    )
  }
  writeFileSync(target, key, { flag: 'wx', mode: 0o600, flush: true })
  syncFolder(to)
}
