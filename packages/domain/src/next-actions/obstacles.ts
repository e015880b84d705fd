import { type AnyOperation, isReading, operationByName, type Permission, pathNames } from '@specboard/contract'
import type { CardType } from '../delivery/card-record/record.ts'
import { creatingStatuses } from '../delivery/cards/create.ts'
import type { Access } from '../kernel/access/access.ts'
import { type AddressedRecord, type Finds, findsOnceFor, resolveAddress } from '../kernel/access/records.ts'
import { withDefaults } from '../kernel/body-fields.ts'
import type { Context } from '../kernel/context.ts'
import { DomainError } from '../kernel/errors.ts'
import { firstRefusal } from '../kernel/gates.ts'
import type { IsOpen, NextAction } from '../kernel/next-action.ts'
import type { Requester } from '../kernel/record-gates.ts'
import type { Visibility } from '../kernel/service/composition.ts'
import { requiredPermissions } from '../kernel/service/required-permissions.ts'
import { unfinishedRefusal } from '../planning/revision.ts'
import { linkableStatuses, notReady } from '../planning/specs/states.ts'
import type { Status as SpecStatus } from '../planning/specs/store.ts'
import { type Status as SprintStatus, takesNoCards } from '../planning/sprints/rules.ts'
import { getOperations, maxReasonLength } from './actions-for.ts'
import { kinds, type MovedKind, type RecordFacts } from './kinds.ts'

/**
 * What prevents a caller from making a call: nothing, missing permissions, that the record to move already has the
 * target status, or the refusal of a state or gate (mcp 9.5).
 */
export type Obstacle = undefined | 'rights' | 'there' | DomainError

type Arguments = NextAction['arguments']

/** A record that the path of a call addresses, and the caller's context there. */
interface AddressedCall {
  readonly ctx: Context
  readonly target: AddressedRecord | null
}

/** The kind of record that an operation moves, or depends on the status or lock of. */
const kindByOperation: ReadonlyMap<string, MovedKind> = new Map(
  Object.entries(kinds).flatMap(([type, { mover, operations }]) =>
    [mover.name, ...operations].map(name => [name, type as MovedKind] as const),
  ),
)

/** The refusals of other operations that follow from the status of the record that they address. */
const byStatus: Readonly<Record<string, (target: AddressedRecord, args: Arguments) => DomainError | null>> = {
  assign_sprint_tasks: ({ status }) => takesNoCards(status as SprintStatus),
  create_refinement: ({ status }) => unfinishedRefusal('ideation', 'IDEATION_NOT_DONE', String(status)),
  link_card_to_spec: ({ id, status }) => notReady({ id, status: status as SpecStatus }, linkableStatuses),
}

/**
 * Predicts what would prevent calls that have not been made, all within the one unit of work of its context: access is
 * checked as for a real call, and the operations' own gates decide the rest. Nothing is tried out.
 */
export class Obstacles {
  readonly #ctx: Context
  readonly #visibility: Pick<Visibility, 'ownVisibility'>
  readonly #isOpen: IsOpen
  readonly #opened = new Map<string, Promise<RecordFacts>>()
  readonly #finds: Finds

  constructor(ctx: Context, visibility: Pick<Visibility, 'ownVisibility'>, isOpen: IsOpen) {
    this.#ctx = ctx
    this.#visibility = visibility
    this.#isOpen = isOpen
    this.#finds = findsOnceFor(ctx.db, ctx.caller.id)
  }

  /** A record with its facts, which are read once however often they are needed. */
  open(type: MovedKind, id: string): Promise<RecordFacts> {
    const key = `${type} ${id}`
    const opened = this.#opened.get(key) ?? kinds[type].open(this.#ctx, id)
    this.#opened.set(key, opened)
    return opened
  }

  /**
   * What prevents the caller from taking an action; arguments that its reason asks to add are assumed to be present.
   */
  async to({ name, arguments: args }: NextAction): Promise<Obstacle> {
    const operation = operationByName.get(name)
    if (operation === undefined || !this.#isOpen(operation)) return 'rights'
    try {
      return pathNames(operation.path).some(param => args[param] === undefined)
        ? await this.#mayReach(operation, args)
        : await this.#obstacleOnPath(operation, args)
    } catch (error) {
      // A record that the caller does not see.
      if (error instanceof DomainError) return 'rights'
      throw error
    }
  }

  /** An action whose reason also asks for what its move must send besides its arguments, such as a report (mcp 9.5). */
  async withReport(action: NextAction): Promise<NextAction> {
    const { name, arguments: args, reason } = action
    const type = kindByOperation.get(name)
    if (type === undefined || name !== kinds[type].mover.name || reason.startsWith('add ')) return action
    const opened = await this.open(type, String(args[`${type}_id`]))
    const { asks = [] } = opened.move(String(args[kinds[type].mover.target]), {
      caller: this.#ctx.caller,
      boardId: opened.standing.board_id,
      access: (await this.#ctx.reach(type, opened.standing.id)).access,
    })
    const missing = asks.filter(field => args[field] === undefined)
    if (missing.length === 0) return action
    const named = `${reason}; add ${missing.join(', ')}`
    return { ...action, reason: named.length <= maxReasonLength ? named : `${reason}; add the report` }
  }

  async #obstacleOnPath(operation: AnyOperation, args: Arguments): Promise<Obstacle> {
    const { ctx, target } = await this.#settle(operation, args)
    if (lacks(ctx.access, operation, args, target)) return 'rights'
    if (isReading(operation)) return undefined
    const { openIn } = operation
    if (openIn !== undefined && !openIn.includes(String(target?.status))) return 'rights'
    const type = kindByOperation.get(operation.name)
    if (type !== undefined) {
      const { mover } = kinds[type]
      if (operation.name === mover.name && args[mover.target] === target?.status) return 'there'
      return (await this.#judged(type, operation, args, ctx)) ?? undefined
    }
    const isShut = operation.method !== 'DELETE' && Object.values(ctx.records).some(record => record.archived)
    if (isShut) return 'rights'
    if (operation.name === 'link_card_to_spec' && (await this.#isElsewhere('card', args.card_id, target)))
      return 'rights'
    if (operation.name === 'create_card') return (await this.#cardRefusal(args)) ?? undefined
    return (target === null ? null : byStatus[operation.name]?.(target, args)) ?? undefined
  }

  /** The first closed gate of a move or of an operation that depends on the record. */
  async #judged(type: MovedKind, { name }: AnyOperation, args: Arguments, requester: Requester) {
    const opened = await this.open(type, String(args[`${type}_id`]))
    const { mover } = kinds[type]
    const gates =
      name === mover.name ? opened.move(String(args[mover.target]), requester) : opened.operation(name, requester)
    return firstRefusal(gates?.rulings ?? [])
  }

  /** Whether a record that a call names beside its target is on another board, where the call would not find it. */
  async #isElsewhere(type: AddressedRecord['type'], id: unknown, target: AddressedRecord | null): Promise<boolean> {
    const { record } = await this.#ctx.reach(type, String(id))
    return record.board_id !== target?.board_id
  }

  /** The refusal of a new card because of its spec's status; null if the status allows the card. */
  async #cardRefusal({ spec_id, card_type }: Arguments): Promise<DomainError | null> {
    const { record } = await this.#ctx.reach('spec', String(spec_id))
    return notReady({ id: record.id, status: record.status as SpecStatus }, creatingStatuses[card_type as CardType])
  }

  /** Checks access as for a call: the records of the path exist and are visible. */
  async #settle(operation: AnyOperation, args: Arguments): Promise<AddressedCall> {
    const address = await resolveAddress(this.#ctx.db, operation, args, this.#finds)
    const ctx = this.#ctx.at(address)
    for (const param of pathNames(operation.path))
      await this.#visibility.ownVisibility[param]?.(ctx, String(args[param]), operation)
    return { ctx, target: address.target }
  }

  /**
   * What prevents the caller from taking an action that adds another record to a known one: only missing permissions
   * can be predicted.
   */
  async #mayReach({ permission }: AnyOperation, args: Arguments): Promise<Obstacle> {
    const entry = Object.entries(getOperations).find(([, { argument }]) => args[argument] !== undefined)
    if (entry === undefined) return 'rights'
    const [type, { argument }] = entry
    const { access } = await this.#ctx.reach(type as AddressedRecord['type'], String(args[argument]))
    return access.allows(permission as Permission) ? undefined : 'rights'
  }
}

/** The methods whose permissions depend on the fields that are sent, so that no defaults may be added to them. */
const byField: ReadonlySet<string> = new Set(['PATCH', 'PUT'])

/**
 * Whether the caller lacks a permission for a call. If the implementation itself checks the permissions, the
 * operation's own permission decides.
 */
function lacks(access: Access, operation: AnyOperation, args: Arguments, target: AddressedRecord | null): boolean {
  const names = new Set(pathNames(operation.path))
  const fields = Object.fromEntries(Object.entries(args).filter(([name]) => !names.has(name)))
  const body = byField.has(operation.method) ? fields : withDefaults(operation, fields)
  const permissions = requiredPermissions(operation, { params: args, query: {}, body }, target)
  const { permission } = operation
  const own = permissions.length > 0 || permission === '-' || permission === 'public' ? permissions : [permission]
  return access.refusalOf(own) !== undefined
}
