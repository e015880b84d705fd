/** The files of a source, for formats with folders. */
import type { Entry, Source } from './neutral.ts'

/** A file, by its path below the root of the format. */
export interface File {
  readonly path: string
  readonly entry: Entry
}

/** The common ancestor folders of all files, outermost first, each with `/`: `a/`, `a/b/`. */
export function commonFolders(entries: readonly Entry[]): string[] {
  const [first = ''] = entries.map(({ name }) => name ?? '')
  const folders: string[] = []
  for (let end = first.indexOf('/'); end !== -1; end = first.indexOf('/', end + 1)) {
    const folder = first.slice(0, end + 1)
    if (!entries.every(({ name }) => name?.startsWith(folder))) break
    folders.push(folder)
  }
  return folders
}

/**
 * The files below the first root that has a file which `belongs`, and all files outside of it; undefined if there is no
 * such root. Common ancestor folders are cut off, unless the format's own folder is among them.
 * @param roots folders of the format, such as `backlog/`
 */
export function filesBelow(
  { entries }: Source,
  roots: readonly string[],
  belongs: (path: string) => boolean,
): { root: string; inside: File[]; beside: Entry[] } | undefined {
  const above = ['', ...commonFolders(entries)]
  const candidates = new Set(above.flatMap(folder => roots.map(root => folder + root)))
  for (const root of candidates) {
    const files = filesIn(entries, root)
    if (files.some(({ path }) => belongs(path)))
      return { root, inside: files, beside: entries.filter(({ name }) => !name?.startsWith(root)) }
  }
  return undefined
}

/** The files below a folder. */
export const filesIn = (entries: readonly Entry[], root: string): File[] =>
  entries.flatMap(entry => (entry.name?.startsWith(root) ? [{ path: entry.name.slice(root.length), entry }] : []))

/** The file name of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The file name of a path, without its extension. */
export const stemOf = (path: string): string => {
  const name = nameOf(path)
  const dot = name.lastIndexOf('.')
  return dot === -1 || dot === name.length - 1 ? name : name.slice(0, dot)
}

/** Folder names that every project has, and that are therefore not used as names. */
const nameless: ReadonlySet<string> = new Set(['backlog', 'tasks', 'specs', 'docs', 'issues', 'openspec'])

const isNameless = (name: string): boolean => name === '' || name.startsWith('.') || nameless.has(name.toLowerCase())

/**
 * The name of a board whose source has none (imports 2): the project's folder, otherwise the file, otherwise the
 * format. Never a dot folder.
 * @param at the file or folder that is read
 */
export function boardNameOf({ filename, entries }: Source, at: string | null, otherwise: string): string {
  const folders = (at ?? commonFolders(entries).at(-1) ?? '').split('/').slice(0, -1)
  const project = folders.findLast(folder => !isNameless(folder))
  const stem = filename === null ? '' : stemOf(filename)
  return project ?? (stem.startsWith('.') || stem === '' ? otherwise : stem)
}
