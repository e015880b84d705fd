import { Zip, ZipPassThrough } from 'fflate'
import { sizeOf } from '../components/size.ts'
import { messages } from '../messages/messages.ts'
import type { Files } from './dropped.ts'

const texts = messages.settings.import

/** Maximum number of bytes of a source that is not an archive (exchange 1). */
const maxBytes = 256 * 2 ** 20

/** Maximum number of files of a zip without the zip64 extension, which fflate does not write. */
const maxFiles = 65_535

/** Folders that are never part of a backlog, as on the command line. */
const skipped = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/

/** The file to import: the chosen one, or a zip of the folder or the files. */
export async function packed(chosen: File | Files): Promise<File> {
  if (chosen instanceof File) return chosen
  const zip = new StoredZip()
  let bytes = 0
  for await (const { path, read } of chosen.files()) {
    if (skipped.test(path)) continue
    const file = await read().catch(() => {
      throw new Error(texts.unreadable(path))
    })
    bytes += file.size
    if (bytes > maxBytes) throw new Error(texts.tooLarge(chosen.name, sizeOf(maxBytes)))
    if (zip.files === maxFiles) throw new Error(texts.tooMany(chosen.name, maxFiles))
    const content = await file.arrayBuffer().catch(() => {
      throw new Error(texts.unreadable(path))
    })
    zip.add(path, new Uint8Array(content))
  }
  if (zip.files === 0) throw new Error(texts.noFiles(chosen.name))
  // A board is never named after a hidden folder (imports 2).
  const name = chosen.name.replace(/^\.+/, '') || texts.folder
  return new File([...zip.end()], `${name}.zip`, { type: 'application/zip' })
}

/** An uncompressed zip of files: it is only sent to the service. */
class StoredZip {
  readonly #parts: Uint8Array<ArrayBuffer>[] = []
  readonly #zip = new Zip((error, part) => {
    if (error !== null) throw error
    this.#parts.push(part)
  })
  files = 0

  add(path: string, bytes: Uint8Array): void {
    const entry = new ZipPassThrough(path)
    this.#zip.add(entry)
    entry.push(bytes, true)
    this.files++
  }

  /** The parts of the file, in their order. */
  end(): readonly Uint8Array<ArrayBuffer>[] {
    this.#zip.end()
    return this.#parts
  }
}
