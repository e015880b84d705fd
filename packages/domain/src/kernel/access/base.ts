import {
  builtinAllows,
  type builtinPresets,
  childrenOf,
  isPermission,
  isStateLimit,
  narrowerThan,
  type Permission,
  parentOf,
  permissionGroups,
  permissionNames,
  widerThan,
} from '@specboard/contract'
import type { Flags } from '../../schema/contents.ts'
import { DomainError } from '../errors.ts'

/** What an agent's preset and own flags allow, before any board narrows it (access 2.2, step 1). */
export interface Base {
  readonly allowed: ReadonlySet<Permission>
  /** The layer that denies a permission; call it only for one that is not allowed. */
  deniedBy(name: Permission): 'preset' | 'agent'
}

/**
 * Expands flags: a named parent passes its value to each child that is not named (access 2.1), and taking a permission
 * away also takes away those that widen it, unless they are named (crew 7).
 */
export function expand(flags: Flags): Flags {
  const expanded: Partial<Record<Permission, boolean>> = { ...flags }
  for (const [name, value] of Object.entries(flags) as [Permission, boolean][]) {
    for (const child of childrenOf(name)) if (!Object.hasOwn(flags, child)) expanded[child] = value
  }
  for (const [name, value] of Object.entries(flags) as [Permission, boolean][])
    if (!value) for (const other of narrowerThan(name)) if (!Object.hasOwn(flags, other)) expanded[other] = false
  return expanded
}

/**
 * The supplied flags, if every name is that of a permission (access 2.1).
 * @throws DomainError VALIDATION_ERROR with `unknown`, sorted
 */
export function checkedFlags(field: string, flags: Readonly<Record<string, boolean>>): Flags {
  const unknown = Object.keys(flags)
    .filter(name => !isPermission(name))
    .sort()
  if (unknown.length > 0) {
    throw new DomainError(
      'VALIDATION_ERROR',
      `Unknown permission names: ${unknown.join(', ')}. docs/permissions.md lists all of them.`,
      { field, unknown },
    )
  }
  return flags as Flags
}

/**
 * The complete map of a custom preset: an omitted child has its parent's value, an omitted state limit is true, and
 * every other omitted name is false.
 */
export function completePreset(flags: Flags): Record<Permission, boolean> {
  const expanded = expand(flags)
  return withGroups(name => expanded[name] ?? isStateLimit(name))
}

/** The complete map of a built-in preset. */
export const builtinFlags = (builtin: (typeof builtinPresets)[number]): Record<Permission, boolean> =>
  withGroups(name => builtinAllows(builtin, name))

/** The complete map of all names, from a rule for names that are not groups; groups are derived from their children. */
export function withGroups(allows: (name: Permission) => boolean): Record<Permission, boolean> {
  const map = {} as Record<Permission, boolean>
  for (const name of permissionNames)
    map[name] = permissionGroups.has(name) ? childrenOf(name).some(allows) : allows(name)
  return map
}

/** Whether a permission is held by way of an older one that includes it (crew 7). */
export function isWidened(name: Permission, has: (name: Permission) => boolean): boolean {
  const wider = widerThan(name)
  return wider !== null && has(wider)
}

/** Resolves preset and agent flags to a base; no preset means Full Control. */
export function resolveBase(presetFlags: Flags | null, agentFlags: Flags | null): Base {
  const own = agentFlags === null ? {} : expand(agentFlags)
  const fromPreset = (name: Permission) => presetFlags === null || presetFlags[name] === true
  const has = (name: Permission) => own[name] ?? fromPreset(name)
  const map = withGroups(name => has(name) || isWidened(name, has))
  const allowed = new Set(permissionNames.filter(name => map[name]))
  return { allowed, deniedBy: name => (fromPreset(name) ? 'agent' : 'preset') }
}

/** Everything that a pipeline may do before any board narrows it: it never claims, moves or validates (evidence 6). */
const ciPermissions: readonly Permission[] = [
  'BOARDS_READ',
  'SPECS_READ',
  'CARDS_READ',
  'REPORTS_READ',
  'REPORTS_SUBMIT',
  'REPOSITORIES_READ',
  'CHANGES_READ',
  'CHANGES_RECORD',
]

/** The base of every agent of kind `ci`. */
export const ciBase: Base = resolveBase(Object.fromEntries(ciPermissions.map(name => [name, true])), null)

/** The wanted names that are not held, sorted; without groups, which are derived from their children. */
export const lacking = (requested: ReadonlySet<Permission>, granted: ReadonlySet<Permission>): Permission[] =>
  [...requested].filter(name => !granted.has(name) && !permissionGroups.has(name)).sort()

/** Whether a change removes permissions and adds none. */
export const narrows = (before: ReadonlySet<Permission>, after: ReadonlySet<Permission>): boolean =>
  lacking(after, before).length === 0 && lacking(before, after).length > 0

/**
 * Refuses permissions that the giver does not hold itself. Whoever would see a key with these permissions counts as a
 * giver (trust 2).
 * @throws DomainError FORBIDDEN with every such name in `missing`
 */
export function refuseEscalation(requested: ReadonlySet<Permission>, giver: Base): void {
  const missing = lacking(requested, giver.allowed)
  const [permission] = missing
  if (permission === undefined) return
  const denied_by = giver.deniedBy(permission)
  throw new DomainError(
    'FORBIDDEN',
    `You cannot give permissions that you lack: your ${denied_by} denies ${missing.join(', ')}. Leave them out, or ask an agent that holds them.`,
    { permission, missing, denied_by, board_id: null },
  )
}

/**
 * The permission that a refusal names: the missing one, or its parent if the parent and all its children are missing.
 */
export function namedPermission(first: Permission, allows: (name: Permission) => boolean): Permission {
  const parent = parentOf(first)
  if (parent === null || allows(parent)) return first
  return childrenOf(parent).some(allows) ? first : parent
}
