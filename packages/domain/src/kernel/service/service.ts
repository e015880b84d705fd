import { isOpenRead, isReading, type NamedKind, readOf } from '@specboard/contract'
import type { Db } from '../../schema/database.ts'
import { Access } from '../access/access.ts'
import { isAccessToken } from '../access/keys.ts'
import { ReferenceTexts } from '../access/referred.ts'
import { recordAudit } from '../audit.ts'
import { everyBoard } from '../board-gates.ts'
import { type Caller, Context, type Environment, type Proof, seenBy } from '../context.ts'
import { DomainError, InvalidInput } from '../errors.ts'
import type { Runner } from '../implement.ts'
import type { FindNextActions, IsOpen, NextAction, RefusedCall } from '../next-action.ts'
import { Admission } from './admission.ts'
import { Announcements } from './announcements.ts'
import { asReadBy } from './as-read.ts'
import { type AuthenticatedCaller, Authenticator, type ConnectedCaller, type KeyedCaller } from './authenticate.ts'
import type { Answer, Call, NextPartOf } from './call.ts'
import type { Runners, ServiceDatabase, Visibility } from './composition.ts'
import { representationOf, takesRev } from './etag.ts'
import { Execution } from './execution.ts'
import { withGuard } from './expected-rev.ts'
import { KeptAnswers } from './kept-answers.ts'
import { LastUsed } from './last-used.ts'
import { Match } from './match.ts'
import { withNextPart } from './next-part.ts'
import { nobody, nowhere } from './nobody.ts'
import type { ReadPool } from './read-pool.ts'
import { withIds } from './referring.ts'
import { Refusals } from './refusals.ts'
import { possiblePermissions } from './required-permissions.ts'
import { goesThrough, performSteps, stepsOf } from './through.ts'
import { Units } from './units.ts'

/** A call that was answered or refused. */
export interface PerformedCall {
  readonly operation: string
  /** The origin of the call. */
  readonly door: string
  /** The status of its answer over HTTP; 500 for unexpected errors. */
  readonly status: number
  readonly ms: number
}

/** The parts of a service. */
export interface ServiceParts {
  readonly database: ServiceDatabase
  readonly environment: Environment
  readonly runners: Runners
  readonly visibility: Visibility
  /** Loads the function that finds the next actions after a refusal, on first use. */
  readonly loadNextActions: () => Promise<FindNextActions>
  /** Loads the function that finds who acts next after a call, on first use. */
  readonly nextParts: () => Promise<NextPartOf>
  /** Called with failures that happen after a call was answered. */
  readonly onFault: (error: unknown) => void
  /** Called for every call, so that background work can yield to callers. */
  readonly onCall: () => void
  /** Called for each call once it is answered or refused. */
  readonly onPerformed?: ((call: PerformedCall) => void) | undefined
  /**
   * Called for each refused call of an agent on a board, with the code of the refusal (harness 6); without it the board
   * is not looked up.
   */
  readonly onRefused?: ((agentId: string, boardId: string, code: string) => void) | undefined
  /** Runs calls that read a lot; without it they run like all others. */
  readonly readPool?: ReadPool | undefined
  /** Brings derived data that a call reads up to date; returns undefined if it already is. */
  readonly freshen?: ((call: Call) => Promise<void> | undefined) | undefined
}

/** How long after it began a read may answer without checking its caller again, ms. */
const judgedForMs = 100

/**
 * Runs operations. A call passes through stages, each a file: it is admitted (`admission`), compared with the state
 * that it started from (`match`), run (`execution`, in `units` of work), its answer stored for repetitions
 * (`kept-answers`), and announced once it is durable (`announcements`). Both adapters call it.
 */
export class Service {
  readonly database: ServiceDatabase
  readonly environment: Environment
  readonly listen: Announcements['listen']
  readonly listenElsewhere: Announcements['listenElsewhere']
  readonly watch: Announcements['watch']
  readonly #parts: ServiceParts
  readonly #ending = new AbortController()
  readonly #announcements = new Announcements()
  readonly #authenticator: Authenticator
  readonly #lastUsed: LastUsed
  readonly #admission: Admission
  readonly #units: Units
  readonly #execution: Execution
  readonly #refusals: Refusals

  constructor(parts: ServiceParts) {
    const { database, environment, runners, visibility, onFault, readPool, freshen } = parts
    const { listen, listenElsewhere, watch } = this.#announcements
    this.database = database
    this.environment = environment
    this.listen = listen
    this.listenElsewhere = listenElsewhere
    this.watch = watch
    this.#parts = parts
    const authenticator = new Authenticator(environment.clock)
    const answers = new KeptAnswers(environment)
    const asRead = asReadBy(runners)
    const ending = this.#ending.signal
    const announcements = this.#announcements
    const admission = new Admission({
      database,
      environment,
      authenticator,
      runners,
      visibility,
      answers,
      asRead,
    })
    const match = new Match(asRead, environment.conflictMinutes)
    const units = new Units({ database, environment, announcements, ending, onFault })
    this.#authenticator = authenticator
    this.#lastUsed = new LastUsed(database, environment.clock, onFault)
    this.#admission = admission
    this.#units = units
    this.#execution = new Execution({
      database,
      environment,
      admission,
      match,
      answers,
      units,
      readPool,
      freshen,
      ending,
    })
    this.#refusals = new Refusals(database, authenticator, environment.publicUrl)
  }

  /**
   * The error that the caller gets for a failure: a database error becomes a refusal, after which the call can be sent
   * again.
   */
  asRefusal(error: unknown): unknown {
    return this.#refusals.of(error)
  }

  /**
   * The agent that a key belongs to. Updates its `last_used_at` at most once in 60 s.
   * @throws DomainError UNAUTHORIZED
   */
  async authenticate(key: string | undefined): Promise<Caller> {
    this.#parts.onCall()
    try {
      const { caller, lastUsedAt } = await this.#authenticator.authenticate(this.database, key)
      if (caller.ci === undefined) this.#lastUsed.agent(caller.id, lastUsedAt)
      return caller
    } catch (error) {
      throw this.#refusals.of(error)
    }
  }

  /**
   * The caller over MCP: the agent of a key, or the one for which a connection acts.
   * @throws DomainError UNAUTHORIZED
   */
  async authenticateMcp(credential: string | undefined): Promise<McpCaller> {
    if (credential === undefined || !isAccessToken(credential)) return { caller: await this.authenticate(credential) }
    this.#parts.onCall()
    const { caller, lastUsedAt, connection } = await this.#authenticator.byToken(this.database, credential)
    this.#lastUsed.agent(caller.id, lastUsedAt)
    this.#lastUsed.connection(connection.id, connection.lastUsedAt)
    return { caller, connection }
  }

  /** An agent by id, to verify what was signed for it; undefined when it is deleted or inactive. */
  agent(id: string): Promise<KeyedCaller | undefined> {
    return this.database.read(db => this.#authenticator.agent(db, id))
  }

  /**
   * Checks a caller again after a later part of its request has arrived (walls 4). Each read and unit of work of a call
   * already does the same.
   * @throws DomainError UNAUTHORIZED
   */
  async confirm({ proof }: Caller): Promise<void> {
    if (proof !== undefined) await this.proven(proof)
  }

  /**
   * The caller that a proof identifies now.
   * @throws DomainError UNAUTHORIZED
   */
  proven(proof: Proof): Promise<Caller> {
    return this.database.read(db => this.#authenticator.proven(db, proof, this.database.versionWithin))
  }

  /** Updates the `last_used_at` of an agent that came without its key, at most once in 60 s. */
  touch({ caller, lastUsedAt }: Pick<AuthenticatedCaller, 'caller' | 'lastUsedAt'>): void {
    this.#lastUsed.agent(caller.id, lastUsedAt)
  }

  /** Records in the audit log that an address sent many wrong keys in a row, or was refused a sign-in (trust 3). */
  async recordRefused(
    address: string,
    action: 'keys_refused' | 'sign_in_refused' = 'keys_refused',
    details: Readonly<Record<string, unknown>> | null = null,
  ): Promise<void> {
    const target = { type: 'address', id: address, name: address } as const
    const origin = action === 'keys_refused' ? 'http' : 'web'
    await this.write(nobody, ctx => recordAudit(ctx, action, target, [], details), origin)
  }

  /** Records in the audit log that an MCP client registered itself (people 3.6). */
  async recordClient(id: string, name: string): Promise<void> {
    await this.write(nobody, ctx => recordAudit(ctx, 'client_registered', { type: 'connection', id, name }, []))
  }

  /** Records in the audit log that an agent signed in or out in a browser (trust 3). */
  async recordSession(
    caller: Caller,
    action: 'signed_in' | 'signed_out',
    details: Readonly<Record<string, unknown>> | null = null,
  ): Promise<void> {
    const target = { type: 'agent', id: caller.id, name: caller.name } as const
    await this.write(caller, ctx => recordAudit(ctx, action, target, [], details), 'web')
  }

  /** Notifies the listeners of writes by other nodes. */
  tellElsewhere(...args: Parameters<Announcements['elsewhere']>): void {
    this.#announcements.elsewhere(...args)
  }

  /**
   * Runs a call.
   *
   * @example
   * const caller = await service.authenticate(key)
   * const parsed = parseInput(operation, { params, query: {}, body })
   * if (parsed.ok) await service.perform({ operation, input: parsed.input, caller })
   * @throws DomainError with the code that the contract names
   */
  async perform(call: Call): Promise<Answer> {
    const tell = this.#parts.onPerformed
    // Requests that the service itself makes are not reported as calls.
    if (tell === undefined || call.caller?.kind === 'service') return this.#telling(call)
    const startedAt = performance.now()
    let status = 500
    try {
      const answer = await this.#telling(call)
      status = answer.status
      return answer
    } catch (error) {
      if (error instanceof DomainError) status = error.status
      if (error instanceof InvalidInput) status = 422
      throw error
    } finally {
      tell({ operation: call.operation.name, door: call.origin ?? 'http', status, ms: performance.now() - startedAt })
    }
  }

  /** Performs a call, and reports its refusal on a board. */
  async #telling(call: Call): Promise<Answer> {
    const tell = this.#parts.onRefused
    if (tell === undefined) return this.#perform(call)
    try {
      return await this.#perform(call)
    } catch (error) {
      this.#tellRefusal(call, error, tell).catch(this.#parts.onFault)
      throw error
    }
  }

  async #tellRefusal(call: Call, error: unknown, tell: NonNullable<ServiceParts['onRefused']>): Promise<void> {
    const { caller } = call
    const code = error instanceof InvalidInput ? 'VALIDATION' : error instanceof DomainError ? error.code : undefined
    const status = error instanceof DomainError ? error.status : 422
    if (caller === null || code === undefined || status < 400 || status >= 500 || status === 401 || status === 429)
      return
    // For a caller that does not see a record, the record belongs to no board.
    const boardId = await this.#admission.boardOf(await this.withIds(call).catch(() => call))
    if (boardId !== null && boardId !== everyBoard) tell(caller.id, boardId, code)
  }

  async #perform(request: Call): Promise<Answer> {
    this.#parts.onCall()
    const call = withGuard(await this.withIds(withinSession(request)))
    const way = goesThrough(call) ? this.#parts.visibility.ways[call.operation.name] : undefined
    if (way === undefined) return withNextPart(this.#parts, call, await this.#performOne(call))
    const steps = stepsOf(call, way, await this.#statusOf(call))
    return withNextPart(this.#parts, call, await performSteps(steps, step => this.#performOne(step)))
  }

  /**
   * The status of the record that a call addresses; null if its caller sees no such record, which the call itself then
   * reports.
   */
  async #statusOf(call: Call): Promise<string | null> {
    try {
      return (await this.database.read(db => this.#admission.addressOf(db, call))).target?.status ?? null
    } catch (error) {
      if (error instanceof DomainError) return null
      throw this.#refusals.of(error)
    }
  }

  async #performOne(call: Call): Promise<Answer> {
    const { operation } = call
    const runner = await this.#parts.runners.runnerOf(operation)
    // Loaded here, because a unit of work cannot wait for it.
    const isGuarded = (call.ifMatch ?? call.expectedRev) !== undefined || takesRev(operation)
    const matched = isGuarded ? representationOf(operation) : null
    const read = call.input.long === undefined ? undefined : readOf(operation)
    if (matched !== null) await this.#parts.runners.runnerOf(matched)
    if (read !== undefined) await this.#parts.runners.runnerOf(read)
    const reading = isReading(operation)
    try {
      call.abort?.throwIfAborted()
      const startedAt = performance.now()
      const answer = await this.#execution.run(call, runner)
      // A write was checked when it committed; a read may have waited, or computed for long after it was checked.
      if (reading && !isOpenRead(operation) && performance.now() - startedAt > judgedForMs)
        await this.database.read(db => this.#admission.admit(db, call))
      if (!reading) this.#announcements.performed(call)
      return answer
    } catch (error) {
      throw await this.#refusals.explained(call, error)
    }
  }

  /** The answer of a write that is already done, for an operation whose answer is read afterwards (`answeredBy`). */
  async answer(call: Call): Promise<Answer> {
    return this.#execution.answer(
      call,
      (await this.#parts.runners.runnerOf(call.operation)) as Runner & { steps: false },
    )
  }

  /** A call with the references to visible records replaced by ids; `perform` and `check` begin with it. */
  async withIds(call: Call): Promise<Call> {
    try {
      return await withIds(this.database, call)
    } catch (error) {
      throw this.#refusals.of(error)
    }
  }

  /** The id of the record that a reference or key names; the text itself when it names none that the caller sees. */
  async idOf(caller: Caller, kind: NamedKind, text: string, within?: string): Promise<string> {
    const named = new ReferenceTexts()
    named.add(kind, text)
    if (named.isEmpty) return text
    return (await this.database.read(db => named.find(db, { agentId: seenBy(caller), within })))(kind, text)
  }

  /**
   * Checks the access of a call without running it.
   * @throws DomainError when the caller may not make it
   */
  async check(request: Call): Promise<void> {
    const call = withGuard(await this.withIds(withinSession(request)))
    await this.#parts.runners.runnerOf(call.operation)
    try {
      await this.database.read(db => this.#admission.settle(db, call))
    } catch (error) {
      throw await this.#refusals.explained(call, error)
    }
  }

  /**
   * Refuses a call whose body is too large to read, from a caller that may make no call of this kind.
   * @throws DomainError NOT_FOUND for a record of its path that the caller does not see, else FORBIDDEN
   */
  async refuseUnread(call: Call): Promise<never> {
    await this.check({ ...call, isUnread: true })
    const { caller, operation } = call
    const { base } = caller ?? nobody
    const permissions = possiblePermissions(operation)
    throw new Access(base, null).refusal(permissions[0]!, permissions)
  }

  /**
   * What the caller of a refused call can do about it (mcp 9.5, board 6).
   * @param isOpen whether an operation may be suggested to the caller
   */
  async nextActions(
    { caller, within, origin = 'http' }: Pick<Call, 'within' | 'origin'> & { readonly caller: Caller },
    refused: RefusedCall,
    isOpen: IsOpen = () => true,
  ): Promise<NextAction[]> {
    const findNextActions = await this.#parts.loadNextActions()
    try {
      return await this.database.read(db =>
        this.#admission
          .callerNow(db, caller)
          .then(now =>
            findNextActions(new Context(db, now, nowhere, this.environment, { origin, within }), refused, isOpen),
          ),
      )
    } catch (error) {
      throw this.#refusals.of(error)
    }
  }

  /**
   * Reads for an adapter's own needs, on behalf of a caller; checks no permissions.
   * @param within the one board that the read may see; by default every board that the caller sees
   */
  read<Value>(caller: Caller, run: (ctx: Context) => Promise<Value>, within?: string): Promise<Value> {
    return this.environment.gates.through(
      () => Promise.resolve(within ?? everyBoard),
      () =>
        this.database.read(async db =>
          run(
            new Context(db, await this.#admission.callerNow(db, caller), nowhere, this.environment, {
              origin: 'http',
              within,
            }),
          ),
        ),
    )
  }

  /** Ends long-lived answers, such as event streams, so that a server can stop. */
  end(): void {
    this.#ending.abort(
      new DomainError('BUSY', 'The service is stopping. Try again when it is back.', { retry_after: 5 }),
    )
  }

  /**
   * Writes for the service's own needs, on behalf of a caller; checks no permissions.
   * @param lock the board that all changes belong to
   */
  async write<Value>(
    caller: Caller,
    run: (ctx: Context) => Promise<Value>,
    origin: Call['origin'] = 'http',
    lock?: string,
  ): Promise<Value> {
    const settle = (db: Db) => Promise.resolve(new Context(db, caller, nowhere, this.environment, { origin }))
    return this.#units.commit(settle, run, undefined, lock === undefined ? {} : { lock })
  }
}

/** The caller over MCP, and its connection, if any. */
export interface McpCaller {
  readonly caller: Caller
  readonly connection?: ConnectedCaller['connection']
}

/** A call by the session of a CI run, which sees only the board of its repository (evidence 6.2). */
const withinSession = (call: Call): Call =>
  call.caller?.ci === undefined ? call : { ...call, within: call.caller.ci.boardId }
