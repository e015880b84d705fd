import { childrenOf, type LimitedResource, type Permission, widerThan } from './permissions.ts'

/** The parsed input of a call, as permission rules see it. */
export interface CallInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** A permission, and the part of an operation that it protects; without a part it protects every call. */
export interface Guard {
  readonly permission: Permission
  readonly part?: string
}

/** The permissions that calls of an operation need, if that is more than the operation's own permission. */
export interface PermissionRule {
  /**
   * The permissions of one call, in the order checked. `status` is that of the addressed record, null if it has none.
   */
  readonly permissions: (input: CallInput, status: string | null) => readonly Permission[]
  /** Every permission that a call can need, except state limits: the source of docs/permissions.md. */
  readonly guards: readonly Guard[]
}

/** Members of a body that control a write, and change nothing on their own (crew 1.3, 1.4). */
const controls: ReadonlySet<string> = new Set(['lists', 'allow_removal'])

/**
 * Permission rule of a PATCH (access 2.3): the permission of every supplied field, its own child where there is one,
 * else the parent; the parent when no known field is supplied.
 * @param free fields whose permission the implementation checks
 */
export function byField(
  parent: Permission,
  children: Readonly<Record<string, Permission>>,
  free: readonly string[] = [],
): PermissionRule {
  const fields = Map.groupBy(Object.entries(children), ([, permission]) => permission)
  return {
    permissions: ({ body }) => {
      const named = Object.keys(body).filter(field => !controls.has(field))
      const guardedFields = named.filter(field => !free.includes(field))
      if (named.length > 0 && guardedFields.length === 0) return []
      return [...new Set(guardedFields.length === 0 ? [parent] : guardedFields.map(field => children[field] ?? parent))]
    },
    guards: [
      { permission: parent, part: 'every other field' },
      ...[...fields].map(([permission, own]) => ({ permission, part: own.map(([field]) => field).join(', ') })),
    ],
  }
}

/** Permission rule of a move (access 2.3): `<group>_<TARGET>`, the target in the body's `field`. */
export function byTarget(group: Permission, field = 'status'): PermissionRule {
  const prefix = `${group}_`
  return {
    permissions: ({ body }) => [`${prefix}${String(body[field]).toUpperCase()}` as Permission],
    guards: childrenOf(group)
      .filter(child => child.startsWith(prefix) && widerThan(child) === null)
      .map(permission => ({ permission, part: `to ${permission.slice(prefix.length).toLowerCase()}` })),
  }
}

/**
 * Permission rule of the status that a record is created in: the move to it unless it is the first one
 * (access 2.3), and its state limit (access 2.4).
 */
export function createdIn(resource: LimitedResource, first: string): PermissionRule {
  const moving = byTarget(`${resource}_MOVE`)
  return {
    permissions: (input, status) => {
      const created = String(input.body.status)
      return [
        ...(created === first ? [] : moving.permissions(input, status)),
        `${resource}_WRITE_IN_${created.toUpperCase()}` as Permission,
      ]
    },
    guards: moving.guards.filter(({ part }) => part !== `to ${first}`),
  }
}

/** Permission rule that is the same for every call: a child, or several. */
export function always(...names: readonly Permission[]): PermissionRule {
  return { permissions: () => names, guards: names.map(permission => ({ permission })) }
}

/**
 * Permission rule of an operation whose implementation checks permissions: the board is in the body, the caller's
 * relation to the record matters, or an unknown record must come before 403.
 */
export function checkedByImplementation(...guards: readonly Guard[]): PermissionRule {
  return { permissions: () => [], guards }
}
