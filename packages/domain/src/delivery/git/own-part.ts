/** The part of a repository that belongs to a board (git 1). */

/** Maximum number of paths of a commit that are stored. */
export const maxPaths = 100

/**
 * Whether a commit touches the part of a repository that belongs to a board; it does if not all of its paths are known:
 * the reporter may send only as many as are stored.
 */
export function isOfBoard(prefix: string | null, paths: readonly string[] | null | undefined): boolean {
  if (prefix === null || paths === null || paths === undefined || paths.length === 0 || paths.length === maxPaths)
    return true
  return paths.some(path => path === prefix || path.startsWith(`${prefix}/`))
}
