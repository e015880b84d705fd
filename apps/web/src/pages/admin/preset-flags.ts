import { type PermissionNode, permissionGroups } from '../../data/access.ts'
import { type Flags, withBelow, withGroups } from './deviations.ts'

/** All permissions, as a tree. */
export const permissionTree = permissionGroups.flatMap(({ nodes }) => nodes)

/** All permissions allowed. */
export const fullControl: Flags = Object.fromEntries(permissionTree.flatMap(withBelow).map(({ name }) => [name, true]))

/** The flags with a permission set; setting a group sets all of its permissions, and each group follows from those. */
export function withAllowed(flags: Flags, { name, isGroup, children }: PermissionNode, isAllowed: boolean): Flags {
  const changed = isGroup ? children.map(child => child.name) : [name]
  return withGroups(
    { ...flags, ...Object.fromEntries(changed.map(changedName => [changedName, isAllowed])) },
    permissionTree,
  )
}
