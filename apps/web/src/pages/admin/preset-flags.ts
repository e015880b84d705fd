import { type PermissionNode, permissionGroups } from '../../data/access.ts'

/** Which permissions are allowed, by name. */
export type Flags = Readonly<Record<string, boolean>>

const groups = permissionGroups.flatMap(({ nodes }) => nodes).filter(({ isGroup }) => isGroup)

/** The flags with a permission allowed or not; a group has all of its permissions changed, and follows each of them. */
export function withAllowed(flags: Flags, { name, isGroup, children }: PermissionNode, isAllowed: boolean): Flags {
  const changed = isGroup ? children.map(child => child.name) : [name]
  const next = { ...flags, ...Object.fromEntries(changed.map(changedName => [changedName, isAllowed])) }
  const ofGroups = groups.map(group => [group.name, group.children.some(child => next[child.name] === true)])
  return { ...next, ...Object.fromEntries(ofGroups) }
}
