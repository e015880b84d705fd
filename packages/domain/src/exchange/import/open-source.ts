import { archiveSource, hasArchiveLayout, isArchive } from './archive-source.ts'
import { type Defaults, neutralSource } from './neutral-source.ts'
import { refuseLargeArchive, refuseLargeOther, type UploadedFile } from './received.ts'
import { ofOtherFormat } from './refused.ts'
import type { Format, ReadOptions, Source } from './source.ts'
import { Zip } from './zip.ts'

/** How a file is read. */
interface As {
  /** Detected from the content if undefined. */
  readonly format: Format | undefined
  /** Whether records of an archive keep their ids. */
  readonly keepsIds: boolean
}

/**
 * Opens an uploaded file in its format.
 * @throws DomainError VALIDATION_ERROR if its format is unknown, or is not the given one
 */
export async function openSource(
  file: UploadedFile,
  { format, keepsIds }: As,
  options: ReadOptions,
  defaults: Defaults,
): Promise<Source> {
  if (!file.isZip) {
    if (format === 'specboard') throw ofOtherFormat('The file is not a zip, as archives of a board (specboard) are.')
    return neutralSource({ ...file, unpackedBytes: file.size }, format, options, defaults)
  }
  const zip = await Zip.open(file.path)
  try {
    if (format === 'specboard' || (format === undefined && hasArchiveLayout(zip)) || (await isArchive(zip))) {
      if (format !== undefined && format !== 'specboard')
        throw ofOtherFormat(`The content is an archive of a board (specboard), not ${format}.`)
      refuseLargeArchive(file)
      return await archiveSource(zip, keepsIds)
    }
    refuseLargeOther(file)
    await zip.close()
    return await neutralSource({ ...file, unpackedBytes: zip.unpackedBytes }, format, options, defaults)
  } catch (error) {
    await zip.close()
    throw error
  }
}
