/** The files in another tool's export, as they were uploaded. */
import { readFile } from 'node:fs/promises'
import { decoded, type Entry } from '@specboard/importers'
import type { UploadedFile } from './received.ts'
import { refused } from './refused.ts'
import { Zip } from './zip.ts'

/** The maximum total size of another tool's files, unpacked, bytes (walls 5). */
export const maxUnpacked = 256 * 2 ** 20

/** @throws DomainError VALIDATION_ERROR for a zip that is damaged, or contains too much */
export async function entriesIn({ path, isZip }: Pick<UploadedFile, 'path' | 'isZip'>): Promise<Entry[]> {
  if (!isZip) return [{ name: null, ...decoded(await readFile(path)) }]
  const zip = await Zip.open(path)
  try {
    refuseMuch(zip)
    const entries: Entry[] = []
    for (const entry of zip.entries.values()) entries.push({ name: entry.name, ...decoded(await zip.content(entry)) })
    return entries
  } finally {
    await zip.close()
  }
}

function refuseMuch(zip: Zip): void {
  if (zip.unpackedBytes > maxUnpacked) throw refused('The files have more than 256 MiB unpacked. Import a part of them')
}
