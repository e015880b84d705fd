/** Files that are imported together: those of a folder, or several that were dropped at once. */
export interface Files {
  readonly name: string
  /** The files, one after the other; a folder that cannot be read fails like a file that cannot be read. */
  files(): AsyncIterable<NamedFile>
}

/** A file by its path, relative to what was chosen. */
export interface NamedFile {
  readonly path: string
  read(): Promise<File>
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** The next entries of a folder; empty at its end. */
const nextOf = (reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject))

/** All files in a folder and its subfolders. */
async function* below(entry: FileSystemEntry, path: string): AsyncGenerator<NamedFile> {
  if (isFile(entry)) yield { path, read: () => new Promise((resolve, reject) => entry.file(resolve, reject)) }
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  for (;;) {
    const entries = await nextOf(reader).catch((error: unknown) => ({ error }))
    if ('error' in entries) return yield { path, read: () => Promise.reject(entries.error) }
    if (entries.length === 0) return
    for (const inner of entries) yield* below(inner, path === '' ? inner.name : `${path}/${inner.name}`)
  }
}

/**
 * What was dropped: a file, a folder with everything in it, or several files and folders. Must be called while the drop
 * is being handled; the files are read later.
 */
export function droppedIn({ items, files }: DataTransfer): File | Files | undefined {
  const entries = [...items].flatMap(item => item.webkitGetAsEntry() ?? [])
  const [only] = entries
  if (only === undefined || (entries.length === 1 && only.isFile)) return files[0]
  if (entries.length === 1) return { name: only.name, files: () => below(only, '') }
  return {
    name: only.name,
    async *files() {
      for (const entry of entries) yield* below(entry, entry.name)
    },
  }
}

/** The files of a folder that was chosen with the system's dialog. */
export function chosenFolder(list: FileList): Files | undefined {
  // The list is emptied when another folder is chosen.
  const files = [...list]
  const [first] = files
  if (first === undefined) return undefined
  return {
    name: first.webkitRelativePath.split('/')[0]!,
    async *files() {
      for (const file of files) {
        const path = file.webkitRelativePath.split('/').slice(1).join('/')
        yield { path, read: async () => file }
      }
    },
  }
}
