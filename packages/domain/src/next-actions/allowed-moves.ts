import {
  type AllowedMove,
  type AllowedOperation,
  type AnyOperation,
  type features,
  guardsOf,
  issueItem,
  MovedType,
  operationByName,
  type Permission,
} from '@specboard/contract'
import type { z } from 'zod'
import type { Access } from '../kernel/access/access.ts'
import { firstHolders, type Holder, holdersAmong } from '../kernel/access/holders.ts'
import type { AddressedRecord } from '../kernel/access/records.ts'
import { requiredFields } from '../kernel/body-fields.ts'
import type { Context } from '../kernel/context.ts'
import { type DomainError, InvalidInput } from '../kernel/errors.ts'
import type { GateName, Ruling } from '../kernel/gates.ts'
import type { Implementation } from '../kernel/implement.ts'
import type { NextAction } from '../kernel/next-action.ts'
import { oneOf } from '../kernel/one-of.ts'
import { withPersons } from '../kernel/person-required.ts'
import type { CallGates } from '../kernel/record-gates.ts'
import { BaseResolver } from '../kernel/service/authenticate.ts'
import type { Visibility } from '../kernel/service/composition.ts'
import { requiredPermissions } from '../kernel/service/required-permissions.ts'
import { type Kind, kinds, type MovedKind } from './kinds.ts'
import { nextActions } from './next-actions.ts'
import { Obstacles } from './obstacles.ts'

type Prospect = Omit<z.output<typeof AllowedMove>, 'to'>
type Forbidden = Required<Pick<Prospect, 'permission' | 'missing'>> & Pick<Prospect, 'held_by'>

/** What may be done with a record now, and everything that blocks each move (board 3). */
export const getAllowedMoves =
  (visibility: Visibility): Implementation<typeof features.board.get_allowed_moves> =>
  async ({ params, query: { to, holders } }, ctx) => {
    const type = oneOf('entity_type', MovedType.options, params.entity_type)
    const kind = kinds[type]
    const { record, access } = await ctx.reach(type, params.entity_id)
    access.require([kind.reads])
    if (to !== undefined && !kind.statuses.includes(to)) throw new InvalidInput([unknownStatus(kind)])
    const survey = new Survey(ctx, new Obstacles(ctx, visibility, () => true), {
      type,
      record,
      access,
      namesHolders: holders,
    })
    const { standing } = await survey.opened
    return {
      entity_type: type,
      entity_id: record.id,
      ref: standing.ref,
      status: standing.status as z.output<typeof AllowedMove>['to'],
      moves: await survey.moves(to === undefined ? kind.targets(standing.status) : [to]),
      operations: await survey.operations(),
    }
  }

const unknownStatus = ({ statuses }: Kind) =>
  issueItem(['query', 'to'], 'enum', `must be one of ${statuses.join(', ')}`, { expected: statuses })

/** The record in question, and what the caller may do on its board. */
interface Subject {
  readonly type: MovedKind
  readonly record: AddressedRecord
  readonly access: Access
  /** Whether to list who may do what the caller may not. */
  readonly namesHolders: boolean
}

/** Examines everything that can be done with one record, whose facts are read once. */
class Survey {
  readonly #ctx: Context
  readonly #obstacles: Obstacles
  readonly #subject: Subject
  readonly #kind: Kind
  /** By refusal, and by its detail: a gate may refuse several moves with the same words. */
  readonly #nextActions = new Map<DomainError | string, Promise<NextAction[]>>()
  /** Who may make a call, by the permissions that it requires. */
  readonly #holders = new Map<string, Promise<readonly Holder[]>>()
  /** Resolves the bases of the agents examined for that. */
  readonly #bases = new BaseResolver()
  readonly opened: ReturnType<Obstacles['open']>

  constructor(ctx: Context, obstacles: Obstacles, subject: Subject) {
    this.#ctx = ctx
    this.#obstacles = obstacles
    this.#subject = subject
    this.#kind = kinds[subject.type]
    this.opened = obstacles.open(subject.type, subject.record.id)
  }

  async moves(targets: readonly string[]): Promise<z.output<typeof AllowedMove>[]> {
    const { mover } = this.#kind
    const { move } = await this.opened
    const moves = []
    for (const to of targets) {
      const gates = move(to, this.#requester)
      moves.push({ to, ...(await this.#prospect(mover.name, { [mover.target]: to }, gates, gates.asks ?? [])) })
    }
    return moves as z.output<typeof AllowedMove>[]
  }

  async operations(): Promise<z.output<typeof AllowedOperation>[]> {
    const { operation } = await this.opened
    const operations = []
    for (const name of this.#kind.operations) {
      const gates = operation(name, this.#requester)!
      const asks = [...requiredFields(operationByName.get(name)!), ...(gates.asks ?? [])]
      const prospect = await this.#prospect(name, {}, gates, asks)
      const { lockedFields } = gates
      operations.push({
        operation: name,
        ...prospect,
        ...(lockedFields !== undefined && prospect.state !== 'blocked' && { locked_fields: [...lockedFields] }),
      })
    }
    return operations
  }

  get #requester() {
    const { record, access } = this.#subject
    return { caller: this.#ctx.caller, boardId: record.board_id, access }
  }

  async #prospect(
    name: string,
    body: Readonly<Record<string, unknown>>,
    { rulings, effects = [], opens = [] }: CallGates,
    asks: readonly string[],
  ): Promise<Prospect> {
    const forbidden = await this.#forbidden(operationByName.get(name)!, body, opens)
    const blockers = []
    for (const { gate, refusal } of rulings)
      if (refusal !== null && (forbidden === null || this.#mayTell(gate))) {
        const { detail } = await withPersons(this.#ctx.db, this.#bases, refusal, this.#ctx.environment.publicUrl)
        blockers.push({ ...detail, next_actions: await this.#nextActionsFor(name, body, refusal) })
      }
    return {
      state: stateOf(forbidden, rulings, asks),
      asks: [...asks],
      // The kernel's `detail` always begins with the code and the message.
      blockers: blockers as Prospect['blockers'],
      gates: rulings.map(gateOf),
      effects: [...effects],
      ...forbidden,
    }
  }

  /** The permissions that the caller lacks for a call; for an update, one field that it may change is enough. */
  async #forbidden(
    operation: AnyOperation,
    body: Readonly<Record<string, unknown>>,
    opened: readonly Permission[],
  ): Promise<Forbidden | null> {
    const { record, access, namesHolders } = this.#subject
    const permissions = requiredPermissions(operation, { params: {}, query: {}, body }, record).filter(
      name => !opened.includes(name),
    )
    const guards: readonly Permission[] = guardsOf(operation).map(({ permission }) => permission)
    const mayChangeSome = operation.method === 'PATCH' && guards.some(name => access.allows(name))
    const refusal = access.refusalOf(mayChangeSome ? permissions.filter(name => !guards.includes(name)) : permissions)
    if (refusal === undefined) return null
    const { permission, missing } = refusal.extra
    return {
      permission: String(permission),
      missing: missing as string[],
      ...(namesHolders && { held_by: [...(await this.#holdersOf(permissions))] }),
    }
  }

  /** Who may make a call, as in its 403 (access 2.3). */
  #holdersOf(permissions: readonly Permission[]): Promise<readonly Holder[]> {
    const { record, access } = this.#subject
    if (!access.allows('AGENTS_READ')) return Promise.resolve([])
    const name = permissions.join()
    const cached = this.#holders.get(name)
    if (cached !== undefined) return cached
    const { db } = this.#ctx
    const holders = firstHolders(offset => holdersAmong(db, this.#bases, record.board_id, permissions, offset))
    this.#holders.set(name, holders)
    return holders
  }

  /** Whether the caller may read what the detail of a closed gate reveals: a forbidden move has no 409. */
  #mayTell(gate: GateName): boolean {
    const needed = gate === 'evaluation' ? this.#kind.readsEvaluations : tells[gate]
    return needed === undefined || this.#subject.access.allows(needed)
  }

  /** The next actions for a refusal, which are found once even if it blocks several moves. */
  #nextActionsFor(operation: string, body: Readonly<Record<string, unknown>>, refusal: DomainError) {
    const cached = this.#nextActions.get(refusal)
    if (cached !== undefined) return cached
    const { type, record } = this.#subject
    const { detail } = refusal
    const words = JSON.stringify(detail)
    const args = { [`${type}_id`]: record.id, ...body }
    const actions = this.#nextActions.get(words) ?? nextActions(this.#ctx, this.#obstacles, { operation, args, detail })
    this.#nextActions.set(words, actions).set(refusal, actions)
    return actions
  }
}

/** The permission that a caller needs for the detail of a gate that reveals other records. */
const tells: Readonly<Partial<Record<GateName, Permission>>> = {
  scenarios: 'SPECS_READ',
  evidence: 'SPECS_READ',
  spec: 'SPECS_READ',
  sprint: 'SPRINTS_READ',
  sprints: 'SPRINTS_READ',
  tasks: 'CARDS_READ',
  reviewer: 'AGENTS_READ',
  person: 'AGENTS_READ',
}

function stateOf(forbidden: Forbidden | null, rulings: readonly Ruling[], asks: readonly string[]): Prospect['state'] {
  if (forbidden !== null) return 'forbidden'
  if (rulings.some(({ refusal }) => refusal !== null)) return 'blocked'
  return asks.length > 0 ? 'asks' : 'open'
}

function stateOfGate({ refusal, skippedBy }: Pick<Ruling, 'refusal' | 'skippedBy'>) {
  if (refusal !== null) return 'blocked'
  return skippedBy === null ? 'passed' : 'skipped'
}

const gateOf = ({ gate, refusal, skippedBy }: Ruling): Prospect['gates'][number] => ({
  gate,
  state: stateOfGate({ refusal, skippedBy }),
  skipped_by: skippedBy,
})
