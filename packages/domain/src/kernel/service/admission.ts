import { type AnyOperation, eachNamed, isReading, namingOf, type Permission, readOf } from '@specboard/contract'
import type { Db } from '../../schema/database.ts'
import type { Origin } from '../../schema/tables.ts'
import { type Address, type AddressedRecord, findsFor, namesBesideAddress, resolveAddress } from '../access/records.ts'
import { archived, isRootType } from '../archived.ts'
import { everyBoard } from '../board-gates.ts'
import { type Caller, Context, type Environment, seenBy } from '../context.ts'
import { DomainError, InvalidInput, invalid, notFound } from '../errors.ts'
import { PersonRequired } from '../person-required.ts'
import type { AsRead } from './as-read.ts'
import type { Authenticator } from './authenticate.ts'
import type { Call } from './call.ts'
import type { Runners, ServiceDatabase, Visibility } from './composition.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { nobody } from './nobody.ts'
import { possiblePermissions, requiredPermissions } from './required-permissions.ts'
import { refuseChanged } from './unchanged.ts'

/** The parts that the admission of calls needs. */
export interface AdmissionParts {
  readonly database: ServiceDatabase
  readonly environment: Environment
  readonly authenticator: Authenticator
  readonly runners: Runners
  readonly visibility: Visibility
  readonly answers: KeptAnswers
  readonly asRead: AsRead
}

/** The first stage of a call: who makes it, which record it addresses, and whether the caller may make it. */
export class Admission {
  readonly #parts: AdmissionParts

  constructor(parts: AdmissionParts) {
    this.#parts = parts
  }

  /**
   * Checks the access of a call; before that, for a 422 because of over-long fields, whether they are already stored
   * with these values.
   * @throws InvalidInput for changed fields that are too long
   * @throws DomainError as `admit` does
   */
  async settle(db: Db, call: Call): Promise<Context> {
    const { long } = call.input
    if (long === undefined) return this.admit(db, call)
    try {
      const ctx = await this.admit(db, call)
      refuseChanged(long, await this.#stored(ctx, call))
      return ctx
    } catch (error) {
      throw error instanceof DomainError ? new InvalidInput(long.items) : error
    }
  }

  /** What an update changes, as it is read; a read in several steps answers nothing that could be over-long. */
  async #stored(ctx: Context, call: Call): Promise<unknown> {
    const { runners, asRead } = this.#parts
    const read = readOf(call.operation)
    return read === undefined || runners.loadedRunner(read).steps ? {} : asRead(ctx, call, read)
  }

  /**
   * The context of a call whose caller is still valid, sees the records of its path and has the permissions.
   * @throws DomainError UNAUTHORIZED, NOT_FOUND or FORBIDDEN, in this order
   */
  async admit(db: Db, call: Call): Promise<Context> {
    const { operation, input, within } = call
    if (!operation.openToCi) refuseCi(call.caller)
    // Both are read at once; a caller that may not call is refused before anything else is reported.
    const judging = this.callerNow(db, call.caller ?? nobody)
    const addressing = this.addressOf(db, call)
    addressing.catch(() => {})
    const caller = await judging
    const address = await addressing
    const isOutside = within !== undefined && address.way !== null && address.way.boardId !== within
    if (isOutside && address.target !== null) throw notFound(address.target.type, address.target.id)
    const ctx = new Context(db, caller, address, this.#parts.environment, {
      origin: call.origin ?? 'http',
      within,
      isConfirmed: call.confirmation?.mark !== undefined,
    })
    await this.#checkVisible(ctx, operation, input.params).catch((error: unknown) => {
      // The refusal for an agent that was not found lists the existing names.
      throw error instanceof DomainError && error.code === 'NOT_FOUND' ? (call.unmatched ?? error) : error
    })
    // A repeated call is not refused for the status that the first one caused.
    const isRepeated = (await this.#parts.answers.standing(db, call)) !== undefined
    const refusal = await this.#refusal(ctx, call, isRepeated ? null : address.target, isRepeated)
    if (refusal !== undefined) throw (await this.#notFoundBy(call, ctx)) ?? refusal
    const permission = this.#parts.visibility.forOthers[operation.name]?.(ctx, input) ?? null
    if (permission !== null) ctx.require(permission)
    refuseImpersonal(caller, operation, ctx.origin, permission)
    const [conflict] = input.conflicts ?? []
    if (conflict !== undefined) throw conflicting(conflict, address.target)
    if (call.unmatched !== undefined) throw call.unmatched
    return ctx
  }

  /**
   * The caller as it is now, in a read or unit of work: its rights must hold until the answer, not only at the
   * beginning (walls 4).
   * @throws DomainError UNAUTHORIZED
   */
  callerNow(db: Db, caller: Caller): Promise<Caller> {
    const { authenticator, database } = this.#parts
    const { proof } = caller
    return proof === undefined ? Promise.resolve(caller) : authenticator.proven(db, proof, database.versionWithin)
  }

  /** The record and board that a call addresses, and how its caller reaches them. */
  addressOf(db: Db, { operation, input, caller }: Call): Promise<Address> {
    return resolveAddress(db, operation, input.params, findsFor(db, seenBy(caller ?? nobody)))
  }

  /** The board that a call shows or changes; every board for a read of several, null for none. */
  async boardOf(call: Call): Promise<string | null> {
    const { operation, input } = call
    if (operation.permission === 'public') return null
    try {
      const { way } = await this.#parts.database.read(db => this.addressOf(db, call))
      return way?.boardId ?? (isReading(operation) ? everyBoard : boardOfBody(input.body))
    } catch (error) {
      // The call itself is refused for this, and shows nothing.
      if (error instanceof DomainError) return null
      throw error
    }
  }

  /** The refusal of a call whose caller lacks a permission that no fact about the record replaces. */
  async #refusal(
    ctx: Context,
    { operation, input, isUnread = false }: Call,
    state: AddressedRecord | null,
    isRepeated: boolean,
  ): Promise<DomainError | undefined> {
    if (isUnread) return ctx.access.refusalOf(possiblePermissions(operation))
    const required = requiredPermissions(operation, input, state)
    const open = this.#parts.visibility.openings[operation.name]
    if (open === undefined || ctx.access.refusalOf(required) === undefined) return ctx.access.refusalOf(required)
    const opened = await open(ctx, input, isRepeated)
    return ctx.access.refusalOf(required.filter(name => !opened.includes(name)))
  }

  /**
   * The NOT_FOUND of a call that also lacks a permission, if a record that it names besides its address is missing. For
   * a write, a finder looks the record up; a read that names one is run.
   */
  async #notFoundBy(call: Call, ctx: Context): Promise<DomainError | undefined> {
    const { operation, input } = call
    const find = this.#parts.visibility.finders[operation.name]
    try {
      if (find !== undefined) await find(ctx, input)
      else if (isReading(operation) && namesMore(call)) {
        const runner = this.#parts.runners.loadedRunner(operation)
        if (!runner.steps) await runner.run(input, ctx)
      }
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return error
    }
    return undefined
  }

  /** Checks the visibility of records that have no board in the path. */
  async #checkVisible(ctx: Context, operation: AnyOperation, params: Readonly<Record<string, unknown>>): Promise<void> {
    for (const param of Object.keys(operation.params)) {
      const check = this.#parts.visibility.ownVisibility[param]
      if (check !== undefined) await check(ctx, String(params[param]), operation)
    }
  }
}

/**
 * Refuses the session of a CI run, which may make only a few calls, and may open neither /mcp nor /web (evidence 6.2).
 * @throws DomainError FORBIDDEN
 */
export function refuseCi(caller: Pick<Caller, 'ci'> | null): void {
  if (caller?.ci === undefined) return
  throw new DomainError(
    'FORBIDDEN',
    'A CI run session may send only reports, runs and commits. Use the key of an agent.',
    { reason: 'ci_session' },
  )
}

/** Whether a call names a record that resolving its address did not look up, such as one in its query. */
function namesMore({ operation, input }: Call): boolean {
  if (namesBesideAddress(operation)) return true
  let isNamed = false
  eachNamed(namingOf(operation).query, input.query, () => {
    isNamed = true
  })
  return isNamed
}

/**
 * Refuses a caller that is not the person required by an operation (people). Over MCP, no caller counts as that person:
 * a model may be calling, no matter whose key it has.
 * @param forOthers the permission that the call needs because it concerns others than its caller
 * @throws DomainError PERSON_REQUIRED
 */
function refuseImpersonal(
  { kind, present, id, name }: Caller,
  { caller: needs, permission, title }: AnyOperation,
  origin: Origin,
  forOthers: Permission | null,
): void {
  const isOverMcp = origin === 'mcp'
  if (needs === undefined || (!isOverMcp && (needs === 'present' ? present : kind === 'person'))) return
  const gate = permission === '-' || permission === 'public' ? forOthers : permission
  // An operation about oneself is for the calling person; one with a permission is for everybody who holds it.
  const who = gate === null ? { persons: kind === 'person' ? [{ id, name }] : [] } : { permissions: [gate] }
  const action = `${title.toLowerCase()}${isOverMcp ? ', and not over MCP' : ''}`
  throw new PersonRequired({ needs, gate, action, ...who })
}

/** The board named in the body, for an operation whose path names none. */
function boardOfBody(body: unknown): string | null {
  const { board_id } = (body ?? {}) as { readonly board_id?: unknown }
  return typeof board_id === 'string' ? board_id : null
}

/**
 * The refusal of a field sent under two names with different values. An archived planning record is refused as archived
 * first (ideation, specs).
 */
function conflicting(field: string, target: AddressedRecord | null): DomainError {
  if (target?.archived && isRootType(target.type)) return archived(target, target)
  return invalid(field, `${field} was sent under two names with different values. Send one of them.`)
}
