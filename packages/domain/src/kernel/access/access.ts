import { childrenOf, isStateLimit, type Permission, permissionGroups, permissionNames } from '@specboard/contract'
import type { Flags } from '../../schema/contents.ts'
import { DomainError, type ErrorExtra } from '../errors.ts'
import { type Base, expand, isWidened, namedPermission, withGroups } from './base.ts'

/** The levels of a share. */
export type ShareLevel = 'viewer' | 'editor' | 'admin'

/** The levels, each with everything that those before it allow. */
const shareLevels: readonly ShareLevel[] = ['viewer', 'editor', 'admin']

/** Whether a level of a share allows more than another one. */
export const allowsMore = (level: ShareLevel, than: ShareLevel): boolean =>
  shareLevels.indexOf(level) > shareLevels.indexOf(than)

/** How an agent reaches a board, with the overrides of its grant. */
export interface BoardReach {
  readonly boardId: string
  readonly owner: boolean
  readonly grant: boolean
  readonly share: ShareLevel | null
  readonly overrides: Flags | null
}

/** The layer that denies a permission (access 2.3). */
export type DenyingLayer = 'preset' | 'agent' | 'share' | 'grant' | 'override'

const ownerOnly: ReadonlySet<string> = new Set(['BOARDS_DELETE'])
const sharing: ReadonlySet<string> = new Set(['BOARDS_DELETE', 'BOARDS_SHARE', 'AGENTS_GRANT'])
const viewing: ReadonlySet<string> = new Set(['KG_QUERY', 'KG_AUDIT', 'DISCOVERY_EXECUTE'])
const notEditing: ReadonlySet<string> = new Set([
  'BOARDS_UPDATE',
  'BOARDS_IMPORT',
  'REPOSITORIES_MANAGE',
  'CARDS_WAIVE',
])
const isWebhook = (name: Permission) => name.startsWith('WEBHOOKS_')

const grantAllows = (name: Permission) => !sharing.has(name)

function shareAllows(level: ShareLevel, name: Permission): boolean {
  if (level === 'admin') return !ownerOnly.has(name)
  if (isWebhook(name)) return false
  if (level === 'editor') return !sharing.has(name) && !notEditing.has(name) && !name.startsWith('KG_ADMIN')
  return name.endsWith('_READ') || name.includes('_READ_') || name.endsWith('_EXPORT') || viewing.has(name)
}

/** Whether the board is visible: the agent owns it, or has a grant or share of it. */
export const reaches = (way: BoardReach): boolean => way.owner || way.grant || way.share !== null

/** The first way that applies: owner, grant, share. */
export const kindOf = ({ owner, grant }: BoardReach): 'owner' | 'grant' | 'share' =>
  owner ? 'owner' : grant ? 'grant' : 'share'

/** 403: the caller lacks permissions. The service adds who holds them before it answers (access 2.3). */
export class ForbiddenError extends DomainError {
  /** Every permission that the refused call needs. */
  readonly required: readonly Permission[]

  constructor(message: string, extra: ErrorExtra, required: readonly Permission[]) {
    super('FORBIDDEN', message, extra)
    this.required = required
  }
}

/**
 * The permissions of an agent, on one board or where no board is concerned (access 2.2):
 * allowed = base AND path AND NOT overridden.
 */
export class Access {
  readonly way: BoardReach | null
  readonly #base: Base
  readonly #overrides: Flags

  constructor(base: Base, way: BoardReach | null) {
    this.#base = base
    this.way = way
    this.#overrides = way?.overrides ? expand(way.overrides) : {}
  }

  /** Whether a permission is allowed; a group is allowed when one of its children is. */
  allows(name: Permission): boolean {
    if (permissionGroups.has(name)) return childrenOf(name).some(child => this.allows(child))
    const isAllowed = this.#base.allowed.has(name) && this.#path(name) && this.#overrides[name] !== false
    return isAllowed || isWidened(name, other => this.allows(other))
  }

  /** Whether the operation of a permission is usable: the permission or one of its children is allowed (access 2.3). */
  allowsAny(name: Permission): boolean {
    return this.allows(name) || childrenOf(name).some(child => this.allows(child))
  }

  /** Every permission name, with whether it is allowed. */
  flags(): Record<Permission, boolean> {
    return withGroups(name => this.allows(name))
  }

  /** Every permission that is not allowed, with the layer that denies it. */
  denied(): Record<string, DenyingLayer> {
    const names = permissionNames.filter(name => !this.allows(name))
    return Object.fromEntries(names.map(name => [name, this.#deniedBy(name)]))
  }

  /**
   * Refuses a call when one of the permissions is not allowed.
   * @throws DomainError FORBIDDEN with `permission`, `missing`, `denied_by`, `board_id` (access 2.3)
   */
  require(names: readonly Permission[]): void {
    const refusal = this.refusalOf(names)
    if (refusal !== undefined) throw refusal
  }

  /** The refusal when one of the permissions is not allowed; undefined when all are. */
  refusalOf(names: readonly Permission[]): DomainError | undefined {
    const missing = names.filter(name => !this.allows(name))
    const first = missing[0]
    return first === undefined ? undefined : this.refusal(first, missing, names)
  }

  /** The refusal of a call that lacks permissions. */
  refusal(first: Permission, missing: readonly Permission[], required = missing): DomainError {
    const permission = namedPermission(first, name => this.allows(name))
    const deniedBy = this.#deniedBy(first)
    return new ForbiddenError(
      `Permission ${permission} is missing: the ${deniedBy} denies it.`,
      {
        permission,
        missing: [...new Set(missing)].sort(),
        denied_by: deniedBy,
        board_id: this.way?.boardId ?? null,
        ...(isStateLimit(first) && { open_in: this.#openIn(first) }),
      },
      required,
    )
  }

  /**
   * The statuses in which the caller may write to records of a kind; named when a state limit refuses a write (crew 7).
   */
  #openIn(limit: Permission): string[] {
    const [prefix] = limit.split('_WRITE_IN_')
    const open = permissionNames.filter(
      name => isStateLimit(name) && name.startsWith(`${prefix}_`) && this.allows(name),
    )
    return open.map(name => name.slice(`${prefix}_WRITE_IN_`.length).toLowerCase())
  }

  #path(name: Permission): boolean {
    const { way } = this
    if (way === null || way.owner) return true
    return (way.grant && grantAllows(name)) || (way.share !== null && shareAllows(way.share, name))
  }

  #deniedBy(name: Permission): DenyingLayer {
    const leaf = permissionGroups.has(name) ? (childrenOf(name)[0] ?? name) : name
    if (!this.#base.allowed.has(leaf)) return this.#base.deniedBy(leaf)
    if (!this.#path(leaf)) return this.way?.share !== null ? 'share' : 'grant'
    return 'override'
  }
}
