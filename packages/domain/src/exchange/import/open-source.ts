import { readFile } from 'node:fs/promises'
import { decoded, type Entry } from '@specboard/importers'
import { archiveSource, isArchive } from './archive-source.ts'
import { type Defaults, neutralSource } from './neutral-source.ts'
import { type Received, refuseLargeArchive, refuseLargeOther } from './received.ts'
import { ofOtherFormat } from './refused.ts'
import type { Format, ReadOptions, Source } from './source.ts'
import { Zip } from './zip.ts'

/**
 * Opens an uploaded file as what it is.
 * @throws DomainError VALIDATION_ERROR for one of no format, or of another than was named
 */
export async function openSource(
  file: Received,
  format: Format | undefined,
  options: ReadOptions,
  defaults: Defaults,
): Promise<Source> {
  if (!file.isZip) return bareSource(file, format, options, defaults)
  const zip = await Zip.open(file.path)
  try {
    if (format === 'specboard' || (await isArchive(zip))) {
      if (format !== undefined && format !== 'specboard')
        throw ofOtherFormat(`The content is an archive of a board (specboard), not ${format}.`)
      refuseLargeArchive(file)
      return await archiveSource(zip)
    }
    refuseLargeOther(file)
    const entries = await entriesOf(zip)
    await zip.close()
    return await neutralSource({ filename: file.filename, entries }, format, options, defaults)
  } catch (error) {
    await zip.close()
    throw error
  }
}

async function bareSource(file: Received, format: Format | undefined, options: ReadOptions, defaults: Defaults) {
  if (format === 'specboard') throw ofOtherFormat('The file is not a zip, as archives of a board (specboard) are.')
  const entries = [{ name: null, ...decoded(await readFile(file.path)) }]
  return neutralSource({ filename: file.filename, entries }, format, options, defaults)
}

async function entriesOf(zip: Zip): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const entry of zip.entries.values()) entries.push({ name: entry.name, ...decoded(await zip.content(entry)) })
  return entries
}
