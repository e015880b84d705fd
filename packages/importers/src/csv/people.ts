/** The people in the columns of a table (imports 3). */
import type { Item } from './item.ts'

/** The names in a cell for one name: exports separate several only by `;`, because a name may contain a comma. */
const divided = (cell: string): string[] => parts(cell, ';')

const parts = (cell: string, divider: string): string[] =>
  cell
    .split(divider)
    .map(part => part.trim().replace(/^@/, ''))
    .filter(part => part !== '')

/**
 * The names in a cell for several: split at commas only if no part could be half of a name, which holds if all are
 * account names, or all have a first and a last name.
 */
function listed(cell: string): string[] {
  const names = divided(cell).flatMap(name => {
    const several = parts(name, ',')
    const areAccounts = several.every(part => part === part.toLowerCase() || !/, /.test(name))
    const areFullNames = several.every(part => part.includes(' '))
    return areAccounts || areFullNames ? several : [name]
  })
  return names
}

/** The assignees, the first one first. */
export function assigneesOf(item: Item): string[] {
  const named = [
    ...item.cells('assignee').flatMap(cell => asManyAs(cell, item)),
    ...item.cells('assignees').flatMap(listed),
  ]
  if (named.length > 0 || item.hasColumn('assignee') || item.hasColumn('assignees')) return named
  return [...item.cells('assignee_username').flatMap(listed), ...item.cells('assignee_id').flatMap(divided)]
}

/** The names in a cell that has account names next to it, as GitLab writes them: their number shows how to split it. */
function asManyAs(cell: string, item: Item): string[] {
  const accounts = item.cells('assignee_username').flatMap(names => parts(names, ','))
  const names = parts(cell, ',')
  return accounts.length > 1 && names.length === accounts.length ? names : divided(cell)
}

/** The author of a row. */
export const authorOf = (item: Item): string | null =>
  item.text('author') ?? item.text('reporter') ?? item.text('author_id') ?? item.text('reporter_id')

/** Account names by account id, if a table has both. */
export function accountNames(items: readonly Item[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const add = (ids: readonly string[], of: readonly string[]): void => {
    if (ids.length === 1 && of.length === 1 && !names.has(ids[0]!)) names.set(ids[0]!, of[0]!)
  }
  for (const item of items) {
    add(item.cells('assignee_id'), item.cells('assignee'))
    add(item.cells('author_id'), item.cells('author'))
    add(item.cells('reporter_id'), item.cells('reporter'))
  }
  return names
}
