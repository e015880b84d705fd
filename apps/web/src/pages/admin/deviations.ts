import type { PermissionNode } from '../../data/access.ts'

/** Which permissions are allowed, by name. */
export type Flags = Readonly<Record<string, boolean>>

export const isFlags = (value: unknown): value is Flags =>
  typeof value === 'object' && value !== null && Object.values(value).every(flag => typeof flag === 'boolean')

/** A permission with all below it. */
export const withBelow = (node: PermissionNode): readonly PermissionNode[] => [
  node,
  ...node.children.flatMap(withBelow),
]

/** The flags with each group of a tree allowed exactly when one of its permissions is. */
export const withGroups = (flags: Flags, nodes: readonly PermissionNode[]): Flags => ({
  ...flags,
  ...Object.fromEntries(
    nodes
      .filter(({ isGroup }) => isGroup)
      .map(({ name, children }) => [name, children.some(child => flags[child.name] === true)]),
  ),
})

/**
 * The effective permissions of an agent whose own flags deviate from its preset; a flag also covers everything below
 * its permission (access 2.1).
 */
export function withDeviations(preset: Flags, own: Flags, nodes: readonly PermissionNode[]): Flags {
  const below = nodes.flatMap(withBelow).flatMap(({ name, children }) => {
    const value = own[name]
    return value === undefined ? [] : children.map(child => [child.name, value] as const)
  })
  return withGroups({ ...preset, ...Object.fromEntries(below), ...own }, nodes)
}

/** The flags by which an agent deviates from its preset, each covering those below it; null if there are none. */
export function deviationsFrom(preset: Flags, flags: Flags, nodes: readonly PermissionNode[]): Flags | null {
  const differing = nodes.flatMap(withBelow).filter(({ name, isGroup }) => !isGroup && flags[name] !== preset[name])
  if (differing.length === 0) return null
  return Object.fromEntries(differing.flatMap(withBelow).map(({ name }) => [name, flags[name] === true]))
}
