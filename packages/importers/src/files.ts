/** The files of a source, as the formats with folders look for them. */
import type { Entry, Source } from './neutral.ts'

/** A file, by its path below the root of what is read. */
export interface File {
  readonly path: string
  readonly entry: Entry
}

/** The folder that all files stand in, with `/`; empty if there is none. */
function commonFolder(entries: readonly Entry[]): string {
  const [first = ''] = entries.map(({ name }) => name ?? '')
  const folder = first.slice(0, first.indexOf('/') + 1)
  return entries.every(({ name }) => name?.startsWith(folder)) ? folder : ''
}

/**
 * The files below the first of the roots that has one which `belongs`, and those beside it; undefined if none has. A
 * common top folder is cut, unless what is looked for begins with it.
 * @param roots folders that the format may stand in, such as `backlog/`
 */
export function filesBelow(
  { entries }: Source,
  roots: readonly string[],
  belongs: (path: string) => boolean,
): { inside: File[]; beside: Entry[] } | undefined {
  const top = commonFolder(entries)
  const candidates = [...new Set([...roots, ...roots.map(root => top + root)])]
  for (const root of candidates) {
    const { inside = [], beside = [] } = Object.groupBy(entries, ({ name }) =>
      name?.startsWith(root) ? 'inside' : 'beside',
    )
    const files = inside.map(entry => ({ path: entry.name!.slice(root.length), entry }))
    if (files.some(({ path }) => belongs(path))) return { inside: files, beside }
  }
  return undefined
}

/** The name of a path without folders and ending. */
export const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
