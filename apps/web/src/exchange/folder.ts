import { sizeOf } from '../components/size.ts'
import { messages } from '../messages/messages.ts'
import type { Files } from './dropped.ts'
import { mostZipped, type ZippedFile, zipOf } from './zip.ts'

const texts = messages.settings.import

/** The most bytes of a source that is no archive (exchange 1). */
const mostBytes = 256 * 2 ** 20

/** Folders that are never part of a backlog, as for the command line. */
const skipped = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/

/** What is to be imported as one file: what was chosen, or a zip of the folder or the files. */
export async function packed(chosen: File | Files): Promise<File> {
  if (chosen instanceof File) return chosen
  const files: ZippedFile[] = []
  let bytes = 0
  for await (const { path, read } of chosen.files()) {
    if (skipped.test(path)) continue
    const file = await read().catch(() => {
      throw new Error(texts.unreadable(path))
    })
    bytes += file.size
    if (bytes > mostBytes) throw new Error(texts.tooLarge(chosen.name, sizeOf(mostBytes)))
    if (files.length === mostZipped) throw new Error(texts.tooMany(chosen.name, mostZipped))
    const content = await file.arrayBuffer().catch(() => {
      throw new Error(texts.unreadable(path))
    })
    files.push({ path, bytes: new Uint8Array(content) })
  }
  if (files.length === 0) throw new Error(texts.noFiles(chosen.name))
  // A board is never named after a hidden folder (imports 2).
  const name = chosen.name.replace(/^\.+/, '') || texts.folder
  return new File([zipOf(files)], `${name}.zip`, { type: 'application/zip' })
}
