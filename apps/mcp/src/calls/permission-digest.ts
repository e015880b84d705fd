import type { BoardRights } from '@specboard/domain'
import { cut } from './compact.ts'
import type { JsonObject } from './lean-value.ts'

/** The parts of get_my_permissions' HTTP answer that the digest needs. */
export interface Rights extends JsonObject {
  readonly flags: Readonly<Record<string, boolean>>
}

/** Maximum number of characters of a digest (mcp 9.3). */
const maxLength = 1_200

/** Maximum number of characters of a name, and of the permissions that a board lacks. */
const maxName = 60
const maxLacks = 80

const resourceOf = (permission: string): string => permission.slice(0, permission.indexOf('_'))
const actionOf = (permission: string): string => permission.slice(permission.indexOf('_') + 1)

/**
 * The permissions on each resource: first one line with those held completely, then by name those held or, if that is
 * shorter, those missing.
 */
function byResource(flags: Rights['flags']): Record<string, string> {
  const resources = Map.groupBy(Object.keys(flags), resourceOf)
  const parts = [...resources].map(([resource, names]) => {
    const granted = names.filter(name => flags[name])
    const lacked = names.filter(name => !flags[name])
    const words =
      granted.length > lacked.length ? `all but ${lacked.map(actionOf).join(' ')}` : granted.map(actionOf).join(' ')
    return { resource, words, held: granted.length, all: names.length }
  })
  const whole = parts.filter(({ held, all }) => held === all).map(({ resource }) => resource)
  const some = parts.filter(({ held, all }) => held > 0 && held < all)
  return {
    ...(whole.length > 0 && { all: whole.join(' ') }),
    ...Object.fromEntries(some.map(({ resource, words }) => [resource, words])),
  }
}

const boardLine = ({ key, name, access, share_permission, lacks }: BoardRights) => ({
  key,
  name: cut(name, maxName),
  access: share_permission === null ? access : `${access} (${share_permission})`,
  lacks: cut(lacks.join(' '), maxLacks),
})

/**
 * Who the caller is and what it may do in at most 1,200 characters (mcp 9.3): permissions by resource, and the boards
 * where it lacks some of them, by key. If that is too long, the longest lists become counts, then boards are left out.
 * Which layer denies each name is for `full: true`.
 * @param boards undefined if the rights are those on one board
 */
export function permissionDigest(
  { flags, denied_by: _, ...rights }: Rights,
  boards: readonly BoardRights[] | undefined,
  holding: number,
): JsonObject {
  const permissions = byResource(flags)
  const differing = (boards ?? []).filter(({ lacks }) => lacks.length > 0).map(boardLine)
  const digest = () => ({
    ...Object.fromEntries(
      Object.entries(rights).map(([key, value]) => [key, typeof value === 'string' ? cut(value, maxName) : value]),
    ),
    permissions,
    ...(boards !== undefined && { boards_seen: boards.length }),
    cards_held: holding,
    ...(boards !== undefined && { boards: differing }),
    _hint: 'full: true names every permission',
  })
  const shortened = () => {
    const [resource, words] = Object.entries(permissions).toSorted((a, b) => b[1].length - a[1].length)[0] ?? ['', '']
    const names = Object.keys(flags).filter(name => resourceOf(name) === resource)
    const count = `${names.filter(name => flags[name]).length} of ${names.length}`
    if (resource === 'all' || words.length <= count.length) return differing.pop() !== undefined
    permissions[resource] = count
    return true
  }
  while (JSON.stringify(digest()).length > maxLength && shortened());
  return digest()
}
