import { type AnyOperation, guardsOf, isReading, type NamedKind, type Permission, readOf } from '@specboard/contract'
import { StorageError, type WriteOptions } from '@specboard/storage'
import { quotedName } from '../../lib/quoted-name.ts'
import type { Result } from '../../schema/contents.ts'
import type { Database, Db, ReadWrite } from '../../schema/database.ts'
import type { Schema } from '../../schema/tables.ts'
import { Access, Forbidden } from '../access/access.ts'
import { firstHolders, type Holder, holdersAmong, presetsHolding } from '../access/holders.ts'
import { isAccessToken } from '../access/keys.ts'
import { type Address, boardOfPath, findsFor, type Located, reachByType, resolveAddress } from '../access/records.ts'
import { Named } from '../access/referred.ts'
import type { Advise, IsOpen, NextAction, Refused } from '../advice.ts'
import { archived, isRootType } from '../archived.ts'
import { recordAudit } from '../audit.ts'
import { everyBoard } from '../board-gates.ts'
import { type Caller, Context, type Environment, type Proof } from '../context.ts'
import { DomainError, InvalidInput, invalid, notFound } from '../errors.ts'
import type { RecordedEvent } from '../events.ts'
import type { Runner, Steps } from '../implement.ts'
import { PersonRequired, withPersons } from '../person-required.ts'
import { PrerequisiteWork } from '../prerequisite-work.ts'
import { answerOf } from './answer-of.ts'
import { type Authenticated, Authenticator, type Connected, type KeyedCaller } from './authenticate.ts'
import type { Answer, Call, NextPartOf } from './call.ts'
import { changedSince, replacedTexts } from './changed-since.ts'
import type { Runners, Visibility } from './composition.ts'
import { isConcerned } from './concerned.ts'
import { mayBeCut, refuseCutTexts } from './cut-texts.ts'
import { checksIfMatch, etagOf, representationOf, revOfTag, sameOwn, takesRev } from './etag.ts'
import { presentRev, refuseDifferentGuards, withGuard } from './expected-rev.ts'
import { type KeptRow, keepAnswer, keptFor, placeOf, replay } from './idempotency.ts'
import { withOtherKind } from './other-kind.ts'
import type { ReadsBeside } from './reads-beside.ts'
import { withIds } from './referring.ts'
import { requiredPermissions } from './required-permissions.ts'
import { resultOf, stillStands } from './standing-answer.ts'
import { storageRefusal } from './storage-refusal.ts'
import { goesThrough, performSteps, stepsOf } from './through.ts'
import { refuseChanged } from './unchanged.ts'

/** An in-process listener for event log entries, called once they are durable. */
export type Listener = (events: readonly RecordedEvent[]) => void

/** What an entry of the event log says of the records that were written, wherever that was. */
export type Written = Pick<RecordedEvent, 'boardId' | 'entity' | 'cardId' | 'activity'>

/** A listener for what other nodes wrote, or, without entries, for changes of who may do and see what. */
export type Elsewhere = (written: readonly Written[], sight: boolean) => void

/** An in-process listener for calls that may have changed something, called once their writes are durable. */
export type Watcher = (call: Call) => void

/** A call that was answered or refused. */
export interface PerformedCall {
  readonly operation: string
  /** The door that it came through. */
  readonly door: string
  /** The status of its answer over HTTP; 500 for what nobody foresaw. */
  readonly status: number
  readonly ms: number
}

/** What a service needs of its database. */
export type ServiceDatabase = ReadWrite &
  Pick<Database, 'faultOf' | 'readTogether' | 'watchedVersion' | 'versionWithin' | 'announce' | 'onAnnounced'>

/** The parts that a service is made of. */
export interface ServiceParts {
  readonly database: ServiceDatabase
  readonly environment: Environment
  readonly runners: Runners
  readonly visibility: Visibility
  /** Loads what advises on refusals, on first use. */
  readonly adviser: () => Promise<Advise>
  /** Loads what finds who has the next part after a call, on first use. */
  readonly nextParts: () => Promise<NextPartOf>
  /** Called with failures that happen after a call was answered. */
  readonly onFault: (error: unknown) => void
  /** Called when somebody calls, so that background work can let callers go first. */
  readonly onCall: () => void
  /** Told of each call once it is answered or refused. */
  readonly onPerformed?: ((call: PerformedCall) => void) | undefined
  /** Told of a refused call of an agent on a board, with the code of the refusal (harness 6); nobody looks for the board without it. */
  readonly onRefused?: ((agentId: string, boardId: string, code: string) => void) | undefined
  /** Runs calls that read much; without it they run at once like all others. */
  readonly beside?: ReadsBeside | undefined
  /** Brings up to date what a call reads, if that is derived later than written; undefined when it is as it is. */
  readonly freshen?: ((call: Call) => Promise<void> | undefined) | undefined
}

/** The caller of public operations when there is no key; it has no permissions. */
const nobody: Caller = {
  id: '',
  name: '',
  kind: 'service',
  via: 'service',
  present: false,
  presetId: null,
  flags: null,
  base: { allowed: new Set(), deniedBy: () => 'preset' },
}

/** The address of a context without an operation. */
const nowhere: Address = { target: null, way: null, records: {} }

const touchEveryMs = 60_000

/** How long after it began a read may answer without judging its caller anew, ms. */
const judgedForMs = 100

/** How often a unit of work is run when others undo what was done for it. */
const mostAttempts = 8

/**
 * Runs operations: settles access, opens the unit of work, runs the implementation, and answers only when its writes
 * are durable. Both adapters call it.
 */
export class Service {
  readonly database: ServiceDatabase
  readonly environment: Environment
  readonly #authenticator: Authenticator
  readonly #listeners = new Set<Listener>()
  readonly #ending = new AbortController()
  readonly #elsewhere = new Set<Elsewhere>()
  readonly #watchers = new Set<Watcher>()
  readonly #touched = new Map<string, number>()
  readonly #runners: Runners
  readonly #visibility: Visibility
  readonly #adviser: () => Promise<Advise>
  readonly #nextParts: () => Promise<NextPartOf>
  readonly #onFault: (error: unknown) => void
  readonly #onCall: () => void
  readonly #onPerformed: ServiceParts['onPerformed']
  readonly #onRefused: ServiceParts['onRefused']
  readonly #beside: ReadsBeside | undefined
  readonly #freshen: ServiceParts['freshen']

  constructor(parts: ServiceParts) {
    const { database, environment, runners, visibility, adviser, nextParts } = parts
    const { onFault, onCall, onPerformed, onRefused, beside, freshen } = parts
    this.database = database
    this.environment = environment
    this.#authenticator = new Authenticator(environment.clock)
    this.#runners = runners
    this.#visibility = visibility
    this.#adviser = adviser
    this.#nextParts = nextParts
    this.#onFault = onFault
    this.#onCall = onCall
    this.#onPerformed = onPerformed
    this.#onRefused = onRefused
    this.#beside = beside
    this.#freshen = freshen
  }

  /**
   * The agent that a key belongs to. Sets its `last_used_at` at most once in 60 s.
   * @throws DomainError UNAUTHORIZED
   */
  async authenticate(key: string | undefined): Promise<Caller> {
    this.#onCall()
    try {
      const { caller, lastUsedAt } = await this.#authenticator.authenticate(this.database, key)
      this.#touch(caller.id, lastUsedAt)
      return caller
    } catch (error) {
      throw this.#refusalOf(error)
    }
  }

  /**
   * The caller over MCP: the agent of a key, or the one for which a connection acts.
   * @throws DomainError UNAUTHORIZED
   */
  async authenticateMcp(credential: string | undefined): Promise<McpCaller> {
    if (credential === undefined || !isAccessToken(credential)) return { caller: await this.authenticate(credential) }
    this.#onCall()
    const { caller, lastUsedAt, connection } = await this.#authenticator.byToken(this.database, credential)
    this.#touch(caller.id, lastUsedAt)
    this.#touchConnection(connection)
    return { caller, connection }
  }

  /** Notes that a connection is used, at most once in 60 s. */
  #touchConnection({ id, lastUsedAt }: Connected['connection']): void {
    const now = this.environment.clock()
    if (now - Date.parse(lastUsedAt) < 60_000) return
    this.database
      .write(db =>
        db
          .updateTable('connections')
          .set({ last_used_at: new Date(now).toISOString() })
          .where('id', '=', id)
          .execute(),
      )
      .catch(this.#onFault)
  }

  /** An agent by id, to verify what was signed for it; undefined when it is deleted or inactive. */
  agent(id: string): Promise<KeyedCaller | undefined> {
    return this.database.read(db => this.#authenticator.agent(db, id))
  }

  /**
   * Judges a caller anew, where what it sent came later than its key (walls 4). Each read and unit of work of a call
   * does the same by itself.
   * @throws DomainError UNAUTHORIZED
   */
  async confirm({ proof }: Caller): Promise<void> {
    if (proof !== undefined) await this.proven(proof)
  }

  /**
   * The caller that a proof shows now.
   * @throws DomainError UNAUTHORIZED
   */
  proven(proof: Proof): Promise<Caller> {
    return this.database.read(db => this.#authenticator.proven(db, proof, this.database.versionWithin))
  }

  /** Sets the `last_used_at` of an agent that came without its key, at most once in 60 s. */
  touch({ caller, lastUsedAt }: Pick<Authenticated, 'caller' | 'lastUsedAt'>): void {
    this.#touch(caller.id, lastUsedAt)
  }

  /** Records in the audit that an address sent many wrong keys in a row, or was refused to sign in (trust 3). */
  async recordRefused(
    address: string,
    action: 'keys_refused' | 'sign_in_refused' = 'keys_refused',
    details: Readonly<Record<string, unknown>> | null = null,
  ): Promise<void> {
    const target = { type: 'address', id: address, name: address } as const
    const origin = action === 'keys_refused' ? 'http' : 'web'
    await this.write(nobody, ctx => recordAudit(ctx, action, target, [], details), origin)
  }

  /** Records in the audit that a client over MCP registered itself (people 3.6). */
  async recordClient(id: string, name: string): Promise<void> {
    await this.write(nobody, ctx => recordAudit(ctx, 'client_registered', { type: 'connection', id, name }, []))
  }

  /** Records in the audit that an agent signed in or out in a browser (trust 3). */
  async recordSession(
    caller: Caller,
    action: 'signed_in' | 'signed_out',
    details: Readonly<Record<string, unknown>> | null = null,
  ): Promise<void> {
    const target = { type: 'agent', id: caller.id, name: caller.name } as const
    await this.write(caller, ctx => recordAudit(ctx, action, target, [], details), 'web')
  }

  /** Listens to what is written from now on; answers the function that ends it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Listens to what other nodes on the same database write; answers the function that ends it. */
  listenElsewhere(listener: Elsewhere): () => void {
    this.#elsewhere.add(listener)
    return () => this.#elsewhere.delete(listener)
  }

  /** Tells the listeners what other nodes wrote. */
  tellElsewhere(...told: Parameters<Elsewhere>): void {
    for (const listener of this.#elsewhere) listener(...told)
  }

  /** Adds a listener for calls that may have changed something; returns the function that removes it. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
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
  async perform(given: Call): Promise<Answer> {
    const tell = this.#onPerformed
    if (tell === undefined) return this.#telling(given)
    const begun = performance.now()
    let status = 500
    try {
      const answer = await this.#telling(given)
      status = answer.status
      return answer
    } catch (error) {
      if (error instanceof DomainError) status = error.status
      if (error instanceof InvalidInput) status = 422
      throw error
    } finally {
      tell({ operation: given.operation.name, door: given.origin ?? 'http', status, ms: performance.now() - begun })
    }
  }

  /** Performs a call, and tells of its refusal on a board. */
  async #telling(given: Call): Promise<Answer> {
    const tell = this.#onRefused
    if (tell === undefined) return this.#perform(given)
    try {
      return await this.#perform(given)
    } catch (error) {
      this.#tellRefusal(given, error, tell).catch(this.#onFault)
      throw error
    }
  }

  async #tellRefusal(given: Call, error: unknown, tell: NonNullable<ServiceParts['onRefused']>): Promise<void> {
    const { caller } = given
    const code = error instanceof InvalidInput ? 'VALIDATION' : error instanceof DomainError ? error.code : undefined
    const status = error instanceof DomainError ? error.status : 422
    if (caller === null || code === undefined || status < 400 || status >= 500 || status === 401 || status === 429)
      return
    // A record that the caller does not see is on no board of its own.
    const boardId = await this.#boardOf(await this.withIds(given).catch(() => given))
    if (boardId !== null && boardId !== everyBoard) tell(caller.id, boardId, code)
  }

  async #perform(given: Call): Promise<Answer> {
    this.#onCall()
    const call = withGuard(await this.withIds(given))
    const way = goesThrough(call) ? this.#visibility.ways[call.operation.name] : undefined
    if (way === undefined) return this.#withNext(call, await this.#performOne(call))
    const steps = stepsOf(call, way, await this.#statusOf(call))
    return this.#withNext(call, await performSteps(steps, step => this.#performOne(step)))
  }

  /**
   * An answer with who has the next part, where it says so: over MCP, and of a judged card (crew 4.1, 4.4). What was
   * written stands, whatever becomes of its record meanwhile.
   */
  async #withNext(call: Call, answer: Answer): Promise<Answer> {
    const { caller, operation, input, within, origin = 'http' } = call
    const inBody = operation.name === 'submit_task_validation'
    if (caller === null || isReading(operation) || (origin !== 'mcp' && !inBody)) return answer
    const { mayHandOver, nextPart } = await this.#nextParts()
    if (!mayHandOver(call)) return answer
    try {
      const next = await this.database.read(async db =>
        nextPart(
          new Context(db, caller, nowhere, this.environment, { origin, within }),
          { operation, input },
          answer.body,
        ),
      )
      if (next === null) return answer
      const body = inBody ? { ...(answer.body as object), next: next.next } : answer.body
      return { ...answer, next, ...(body !== undefined && { body }) }
    } catch (error) {
      if (!(error instanceof DomainError)) this.#onFault(error)
      return answer
    }
  }

  /** The status of the record that a call addresses; null where its caller sees none, as the call itself is told. */
  async #statusOf(call: Call): Promise<string | null> {
    try {
      return (await this.database.read(db => this.#addressOf(db, call))).target?.status ?? null
    } catch (error) {
      if (error instanceof DomainError) return null
      throw this.#refusalOf(error)
    }
  }

  async #performOne(call: Call): Promise<Answer> {
    const { operation } = call
    const runner = await this.#runners.runnerOf(operation)
    // Loaded here, because a unit of work cannot wait for it.
    const isGuarded = (call.ifMatch ?? call.expectedRev) !== undefined || takesRev(operation)
    const matched = isGuarded ? representationOf(operation) : null
    const read = call.input.long === undefined ? undefined : readOf(operation)
    if (matched !== null) await this.#runners.runnerOf(matched)
    if (read !== undefined) await this.#runners.runnerOf(read)
    const reading = isReading(operation)
    try {
      call.abort?.throwIfAborted()
      const begun = performance.now()
      const answer = await this.#run(call, runner, reading)
      // What is written was judged with it; a read may have waited, or computed long after it was judged.
      if (reading && performance.now() - begun > judgedForMs) await this.database.read(db => this.#admit(db, call))
      if (!reading) for (const watcher of this.#watchers) watcher(call)
      return answer
    } catch (error) {
      throw await this.#told(call, error)
    }
  }

  /** What a write answers that was made before, of an operation whose answer is read afterwards (`answeredBy`). */
  async answer(call: Call): Promise<Answer> {
    const { operation, input } = call
    const { answer } = (await this.#runners.runnerOf(operation)) as Runner & { steps: false }
    if (answer === undefined) throw new Error(`${operation.name} answers what it writes.`)
    return answerOf(operation, await this.database.read(async db => answer(input, await this.#admit(db, call))))
  }

  /** A call with ids in place of the references that name visible records; `perform` and `check` begin with it. */
  async withIds(call: Call): Promise<Call> {
    try {
      return await withIds(this.database, call)
    } catch (error) {
      throw this.#refusalOf(error)
    }
  }

  /** The id of the record that a reference or key names; the text itself when it names none that the caller sees. */
  async idOf(caller: Caller, kind: NamedKind, text: string, within?: string): Promise<string> {
    const named = new Named()
    named.add(kind, text)
    if (named.isEmpty) return text
    return (await this.database.read(db => named.find(db, { agentId: caller.id, within })))(kind, text)
  }

  /**
   * Settles the access of a call without running it.
   * @throws DomainError when the caller may not make it
   */
  async check(given: Call): Promise<void> {
    const call = withGuard(await this.withIds(given))
    await this.#runners.runnerOf(call.operation)
    try {
      await this.database.read(db => this.#settle(db, call))
    } catch (error) {
      throw await this.#told(call, error)
    }
  }

  /**
   * Refuses a call of which too much would have to be read, by a caller that may make none of its kind.
   * @throws DomainError NOT_FOUND for a record of its path that the caller does not see, else FORBIDDEN
   */
  async refuseUnread(call: Call): Promise<never> {
    await this.check(call)
    const { caller, operation } = call
    const { base } = caller ?? nobody
    const asked = guardsOf(operation).map(({ permission }) => permission)
    throw new Access(base, null).refusal(asked[0]!, asked)
  }

  /**
   * What the caller of a refused call can do about it (mcp 9.5, board 6).
   * @param isOpen whether an operation may be named to the caller
   */
  async nextActions(
    { caller, within, origin = 'http' }: Pick<Call, 'within' | 'origin'> & { readonly caller: Caller },
    refused: Refused,
    isOpen: IsOpen = () => true,
  ): Promise<NextAction[]> {
    const advise = await this.#adviser()
    try {
      return await this.database.read(db =>
        this.#callerNow(db, caller).then(now =>
          advise(new Context(db, now, nowhere, this.environment, { origin, within }), refused, isOpen),
        ),
      )
    } catch (error) {
      throw this.#refusalOf(error)
    }
  }

  /**
   * Reads for an adapter's own needs, in the name of a caller; checks no permissions.
   * @param within the one board that the read may see; any that the caller sees unless said
   */
  read<Value>(caller: Caller, run: (ctx: Context) => Promise<Value>, within?: string): Promise<Value> {
    return this.environment.gates.through(
      () => Promise.resolve(within ?? everyBoard),
      () =>
        this.database.read(async db =>
          run(
            new Context(db, await this.#callerNow(db, caller), nowhere, this.environment, { origin: 'http', within }),
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
   * Writes for the service's own needs, in the name of a caller; checks no permissions.
   * @param lock the board of all that it changes
   */
  async write<Value>(
    caller: Caller,
    run: (ctx: Context) => Promise<Value>,
    origin: Call['origin'] = 'http',
    lock?: string,
  ): Promise<Value> {
    const settle = (db: Db) => Promise.resolve(new Context(db, caller, nowhere, this.environment, { origin }))
    return this.#commit(settle, run, undefined, lock === undefined ? {} : { lock })
  }

  /** Runs a call, or a step of it, once no board that it shows or changes is closed. */
  #throughGates<Value>(call: Call, run: () => Promise<Value>): Promise<Value> {
    return this.environment.gates.through(
      () => this.#boardOf(call),
      run,
      touched =>
        this.database.read(async db =>
          isConcerned(db, call.operation, call.input, await this.#addressOf(db, call), touched),
        ),
    )
  }

  #addressOf(db: Db, { operation, input, caller }: Call): Promise<Address> {
    return resolveAddress(db, operation, input.params, findsFor(db, (caller ?? nobody).id))
  }

  async #boardOf(call: Call): Promise<string | null> {
    const { operation, input } = call
    if (operation.permission === 'public') return null
    try {
      const { way } = await this.database.read(db => this.#addressOf(db, call))
      return way?.boardId ?? (isReading(operation) ? everyBoard : boardOfBody(input.body))
    } catch (error) {
      // The call itself is refused for this, and shows nothing.
      if (error instanceof DomainError) return null
      throw error
    }
  }

  async #run(call: Call, runner: Runner, reading: boolean): Promise<Answer> {
    const beside = reading ? this.#beside : undefined
    if (beside !== undefined && (await beside.takes(call, runner.steps)))
      return this.#freshly(call, () => beside.perform(call))
    // Steps go through the gates one by one.
    if (runner.steps) return this.#performSteps(call, runner)
    return this.#freshly(call, () => (reading ? this.#performRead(call, runner) : this.#performWrite(call, runner)))
  }

  /** Runs a whole call once no board that it shows or changes is closed, and what is to be fresh for it is. */
  #freshly(call: Call, run: () => Promise<Answer>): Promise<Answer> {
    return this.#throughGates(call, async () => {
      const fresh = this.#freshen?.(call)
      if (fresh !== undefined) await fresh
      return run()
    })
  }

  async #performRead(call: Call, runner: Runner & { steps: false }): Promise<Answer> {
    const { ctx, result } = await this.database.read(async db => {
      const settled = await this.#settle(db, call)
      return { ctx: settled, result: await runner.run(call.input, settled) }
    })
    for (const follow of ctx.following) await this.#commit(db => this.#settle(db, call), follow, call)
    const hidden = hiddenIn(call.operation, ctx)
    const answer = answerOf(call.operation, result)
    return hidden.length === 0 ? answer : { ...answer, hidden }
  }

  async #performWrite(call: Call, runner: Runner & { steps: false }): Promise<Answer> {
    const answer = await this.#commit(
      db => this.#settle(db, call),
      async ctx => {
        const { bodyHash, whileItStands } = call.idempotency ?? { bodyHash: '' }
        const kept = await this.#kept(ctx.db, call)
        if (kept !== undefined) return replay(kept, { bodyHash, whileItStands })
        await this.#checkCut(ctx, call)
        await this.#checkMatch(ctx, call)
        const answer = answerOf(call.operation, await runner.run(call.input, ctx))
        await this.#tellTexts(ctx, call, answer.body)
        await this.#keep(ctx.db, call, bodyHash, answer)
        call.abort?.throwIfAborted()
        return ctx.warnings.length === 0 ? answer : { ...answer, warnings: ctx.warnings }
      },
      call,
    )
    if (runner.answer === undefined) return answer
    return (await this.#beside?.takes(call, false)) ? this.#beside!.perform(call) : this.answer(call)
  }

  /** Tells what a call brought, once something of it is in the log. */
  async #tellTexts(ctx: Context, { operation, input }: Call, answer: unknown): Promise<void> {
    if (ctx.recorded.length === 0) return
    const { params, body } = input
    await this.environment.onTexts(ctx, { operation: operation.name, params, body, answer })
  }

  #performSteps(call: Call, runner: Runner & { steps: true }): Promise<Answer> {
    const { operation, caller, idempotency } = call
    if (idempotency === undefined || caller === null || operation.method !== 'POST') return this.#runSteps(call, runner)
    // Steps are several units of work: without the queue, two concurrent calls with one key would both run.
    const name = JSON.stringify([caller.id, placeOf(call), idempotency.key])
    return this.#inTurn(name, () => this.#runSteps(call, runner))
  }

  async #runSteps(call: Call, runner: Runner & { steps: true }): Promise<Answer> {
    const kept = await this.database.read(async db => {
      const ctx = await this.#settle(db, call)
      const found = await this.#kept(db, call)
      if (found === undefined) await this.#checkMatch(ctx, call)
      return found
    })
    if (kept !== undefined)
      return replay(kept, { bodyHash: await this.#bodyHash(call), whileItStands: call.idempotency?.whileItStands })
    let signal: AbortSignal | undefined
    let isKept = false
    const writeAs =
      (options: Pick<WriteOptions<Schema>, 'isPiece'>): Steps['write'] =>
      (run, boardId) =>
        this.#throughGates(call, () =>
          this.#commit(
            db => this.#settle(db, call),
            async ctx => {
              const value = await run(ctx)
              await this.#tellTexts(ctx, call, value)
              call.abort?.throwIfAborted()
              return value
            },
            call,
            { ...options, ...(boardId !== undefined && { lock: boardId }) },
          ),
        )
    const write = writeAs({})
    const steps: Steps = {
      read: run => this.#throughGates(call, () => this.database.read(async db => run(await this.#settle(db, call)))),
      write,
      writePiece: writeAs({ isPiece: true }),
      finish: async (run, boardId) => {
        const bodyHash = await this.#bodyHash(call)
        isKept = true
        return write(async ctx => {
          const value = await run(ctx)
          await this.#keep(ctx.db, call, bodyHash, answerOf(call.operation, value))
          return value
        }, boardId)
      },
      mend: (run, boardId) => this.database.write(run, { lock: boardId }),
      gone: () => {
        signal ??= AbortSignal.any(
          [call.gone?.() ?? call.abort, this.#ending.signal].filter(part => part !== undefined),
        )
        return signal
      },
      environment: this.environment,
      following: call.following ?? { live: false },
    }
    const answer = answerOf(call.operation, await runner.run(call.input, steps))
    if (call.idempotency !== undefined && !isKept) {
      const bodyHash = await this.#bodyHash(call)
      await this.database.write(async db => this.#keep(db, call, bodyHash, answer), {
        lock: `answers of ${call.caller?.id}`,
      })
    }
    return answer
  }

  /** Settles the access of a call, and before it, as part of a 422, whether long fields are stored like that. */
  async #settle(db: Db, call: Call): Promise<Context> {
    const { long } = call.input
    if (long === undefined) return this.#admit(db, call)
    try {
      const ctx = await this.#admit(db, call)
      const read = readOf(call.operation)
      refuseChanged(long, read === undefined ? {} : await this.#asRead(ctx, call, read))
      return ctx
    } catch (error) {
      throw error instanceof DomainError ? new InvalidInput(long.items) : error
    }
  }

  /**
   * The caller as it is now, in a read or unit of work: its rights hold until the answer, not only at its beginning
   * (walls 4).
   * @throws DomainError UNAUTHORIZED
   */
  #callerNow(db: Db, caller: Caller): Promise<Caller> {
    const { proof } = caller
    return proof === undefined
      ? Promise.resolve(caller)
      : this.#authenticator.proven(db, proof, this.database.versionWithin)
  }

  /** The access of a call: the caller is who it was (401), the records of its path are visible (404), the caller has the permissions (403). */
  async #admit(db: Db, call: Call): Promise<Context> {
    const { operation, input } = call
    const { id } = call.caller ?? nobody
    // Both are asked at once, and whoever may not call is told so before anything else.
    const judging = this.#callerNow(db, call.caller ?? nobody)
    const addressing = resolveAddress(db, operation, input.params, findsFor(db, id))
    addressing.catch(() => {})
    const caller = await judging
    const address = await addressing
    const outside = call.within !== undefined && address.way !== null && address.way.boardId !== call.within
    if (outside && address.target !== null) throw notFound(address.target.type, address.target.id)
    const ctx = new Context(db, caller, address, this.environment, {
      origin: call.origin ?? 'http',
      within: call.within,
    })
    await this.#checkVisible(ctx, operation, input.params)
    // A repeated call is not refused for the status that the first one led to.
    const state = (await this.#kept(db, call)) !== undefined ? null : address.target
    const refusal = await this.#refusal(ctx, call, state)
    if (refusal !== undefined) throw (await this.#notFoundBy(call, ctx)) ?? refusal
    refuseImpersonal(caller, operation)
    const [conflict] = input.conflicts ?? []
    if (conflict !== undefined) throw conflicting(conflict, address.target)
    return ctx
  }

  /** The refusal of a call whose caller lacks a permission that nothing about the record stands in for. */
  async #refusal(ctx: Context, { operation, input }: Call, state: Located | null): Promise<DomainError | undefined> {
    const asked = requiredPermissions(operation, input, state)
    const open = this.#visibility.openings[operation.name]
    if (open === undefined || ctx.access.refusalOf(asked) === undefined) return ctx.access.refusalOf(asked)
    const opened = await open(ctx, input)
    return ctx.access.refusalOf(asked.filter(name => !opened.includes(name)))
  }

  /**
   * The NOT_FOUND of a call that also lacks a permission, if one of the records that it names is missing. A write has
   * a finder to tell; a read is simply run.
   */
  async #notFoundBy({ operation, input }: Call, ctx: Context): Promise<DomainError | undefined> {
    const runner = this.#runners.loadedRunner(operation)
    try {
      const find = this.#visibility.finders[operation.name]
      if (find !== undefined) await find(ctx, input)
      else if (isReading(operation) && !runner.steps) await runner.run(input, ctx)
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return error
    }
    return undefined
  }

  /** Checks the visibility of records without a board in the path. */
  async #checkVisible(ctx: Context, operation: AnyOperation, params: Readonly<Record<string, unknown>>): Promise<void> {
    for (const param of Object.keys(operation.params)) {
      const check = this.#visibility.ownVisibility[param]
      if (check !== undefined) await check(ctx, String(params[param]), operation)
    }
  }

  /**
   * Commits a unit of work of a call, or of the service's own; then calls the listeners and runs what was deferred until it
   * is durable.
   * @param options with the board of all that it changes as `lock`, where the path of the call names none
   */
  async #commit<Value>(
    settle: (db: Db) => Promise<Context>,
    run: (ctx: Context) => Promise<Value>,
    call?: Call,
    options: WriteOptions<Schema> = {},
  ): Promise<Value> {
    const { ctx, value } = await this.#write(
      async db => {
        const settled = await settle(db)
        return { ctx: settled, value: await run(settled) }
      },
      {
        ...(call !== undefined && { lock: async db => boardOfPath(db, call.operation, call.input.params) }),
        ...options,
      },
    )
    if (ctx.recorded.length > 0) for (const listener of this.#listeners) listener(ctx.recorded)
    for (const act of ctx.afterCommit) {
      try {
        await act(this.database)
      } catch (error) {
        this.#onFault(error)
      }
    }
    return value
  }

  /** Runs a unit of work, after what it finds must be done beforehand. */
  async #write<Value>(run: (db: Db) => Promise<Value>, options: WriteOptions<Schema>): Promise<Value> {
    try {
      return await this.database.write(run, options)
    } catch (error) {
      if (!(error instanceof PrerequisiteWork)) throw error
      return this.#inTurn(error.name, () => this.#writeAfterwards(run, options))
    }
  }

  /** Does something while nobody else does anything under the same name, on any node. */
  #inTurn<Value>(name: string, act: () => Promise<Value>): Promise<Value> {
    return this.environment.leases.inTurn(name, act, this.#ending.signal)
  }

  /** The same in the turn of whoever needs the same to be done, so that nobody else of them undoes it. */
  async #writeAfterwards<Value>(run: (db: Db) => Promise<Value>, options: WriteOptions<Schema>): Promise<Value> {
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      try {
        return await this.database.write(run, options)
      } catch (error) {
        if (!(error instanceof PrerequisiteWork)) throw error
        await error.run(this.database)
      }
    }
    throw new StorageError('BUSY', 'Others write in the same place all the time. Try again in a second.')
  }

  /** A failure as the caller is told of it. */
  #refusalOf(error: unknown): unknown {
    return storageRefusal(this.database.faultOf(error))
  }

  /** A failure as the caller is told of it; a missing permission with who holds it (access 2.3). */
  async #told({ caller: given, within }: Pick<Call, 'caller' | 'within'>, error: unknown): Promise<unknown> {
    const caller = given ?? nobody
    if (error instanceof DomainError && error.code === 'NOT_FOUND' && given !== null)
      return this.database.read(db => withOtherKind(db, { agentId: caller.id, within }, error))
    if (error instanceof PersonRequired)
      return this.database.read(db => withPersons(db, this.#authenticator.bases, error, this.environment.publicUrl))
    if (!(error instanceof DomainError) || error.code !== 'FORBIDDEN') return this.#refusalOf(error)
    const { permission, board_id } = error.extra
    const onBoard = error instanceof Forbidden && typeof board_id === 'string'
    const held_by = onBoard ? await this.#holders(caller, board_id, error.asked) : []
    const presets = presetsHolding(permission as Permission)
    return new DomainError('FORBIDDEN', error.message, { ...error.extra, held_by, presets })
  }

  /** Agents of a board that hold all of the permissions; none for a caller that may not read agents there. */
  async #holders(caller: Caller, boardId: string, names: readonly Permission[]): Promise<readonly Holder[]> {
    const reads = await this.database.read(async db => {
      const { way } = await reachByType(db, 'board', boardId, caller.id)
      return new Access(caller.base, way).allows('AGENTS_READ')
    })
    if (!reads) return []
    // A read for each part, so that a board of many agents does not hold up other calls.
    return firstHolders(offset =>
      this.database.read(db => holdersAmong(db, this.#authenticator.bases, boardId, names, offset)),
    )
  }

  /** What a GET would answer for the path of a call, or the record's own fields of it. */
  async #asRead(ctx: Context, { input }: Call, get: AnyOperation, part: 'whole' | 'own' = 'whole'): Promise<unknown> {
    const runner = this.#runners.loadedRunner(get)
    if (runner.steps) throw new Error(`${get.name} cannot be read within a unit of work.`)
    const { run, own = run } = runner
    return (part === 'own' ? own : run)({ params: input.params, query: {}, body: undefined }, ctx)
  }

  /** Refuses a call that began from another state of its record than the present one (board 6, crew 2.2). */
  async #checkMatch(ctx: Context, call: Call): Promise<void> {
    const { operation, expectedRev } = call
    const tags = call.ifMatch?.includes('*') ? undefined : call.ifMatch
    if (expectedRev === undefined && tags === undefined) return this.#checkFresh(ctx, call)
    const representation = checksIfMatch(operation) ? representationOf(operation) : null
    if (representation === null) return
    refuseDifferentGuards(expectedRev, tags)
    const rev = await presentRev(ctx.db, representation, call.input.params)
    if (await this.#isPresent(ctx, call, representation, { rev, tags })) return
    const current = await this.#asRead(ctx, call, representation)
    const etag = etagOf(representation, current, JSON.stringify(current))
    const [tag] = tags ?? []
    const began = { tag, rev: expectedRev ?? (tag === undefined ? undefined : revOfTag(tag)) }
    throw new DomainError(
      'PRECONDITION_FAILED',
      'The record has changed since it was read. Read it again and repeat the change on its current state.',
      {
        etag,
        ...(rev !== undefined && { rev }),
        ...(rev !== undefined && began.rev !== undefined && { expected_rev: began.rev }),
        changed: await changedSince(ctx, call, began, { etag, current }),
      },
    )
  }

  /** Refuses texts that were cut when they were read, in a body that writes a record back (crew 1.5). */
  async #checkCut(ctx: Context, call: Call): Promise<void> {
    const { operation, input } = call
    if (!takesRev(operation) || !mayBeCut(input.body)) return
    refuseCutTexts(input.body, (await this.#asRead(ctx, call, representationOf(operation)!)) as Record<string, unknown>)
  }

  /**
   * Refuses a call over MCP that names no state to begin from, where it would replace a text that another agent has just
   * written (crew 2.3).
   */
  async #checkFresh(ctx: Context, call: Call): Promise<void> {
    const { operation, origin, input } = call
    const { conflictMinutes } = this.environment
    if (origin !== 'mcp' || conflictMinutes === 0 || !takesRev(operation) || call.ifMatch !== undefined) return
    const representation = representationOf(operation)!
    const since = new Date(Date.parse(ctx.now()) - conflictMinutes * 60_000).toISOString()
    const read = async () => (await this.#asRead(ctx, call, representation)) as Readonly<Record<string, unknown>>
    const changed = await replacedTexts(ctx, call, { since, read })
    if (changed.length === 0) return
    const [{ actor_name }] = changed as [(typeof changed)[0]]
    throw new DomainError(
      'PRECONDITION_FAILED',
      `${actor_name === null ? 'Somebody' : quotedName(actor_name)} wrote this within ${conflictMinutes} minutes. Read it, then send expected_rev.`,
      { rev: await presentRev(ctx.db, representation, input.params), changed },
    )
  }

  /** Whether a call began from the present state of its record. */
  async #isPresent(
    ctx: Context,
    call: Call,
    representation: AnyOperation,
    { rev, tags }: { readonly rev: number | undefined; readonly tags: readonly string[] | undefined },
  ): Promise<boolean> {
    const { expectedRev } = call
    if (expectedRev !== undefined && expectedRev !== rev) return false
    if (tags === undefined) return true
    if (rev !== undefined) return tags.some(tag => revOfTag(tag) === rev)
    const own = etagOf(representation, await this.#asRead(ctx, call, representation, 'own'), '')
    return tags.some(tag => sameOwn(tag, own))
  }

  #kept(db: Db, call: Call): Promise<KeptRow | undefined> | undefined {
    const { operation, caller, idempotency } = call
    if (idempotency === undefined || caller === null || operation.method !== 'POST') return undefined
    const kept = keptFor(db, caller.id, placeOf(call), idempotency, this.environment.clock())
    return idempotency.whileItStands === undefined ? kept : kept.then(row => this.#standing(db, call, row))
  }

  /** A kept answer, as long as what it tells still stands (crew 3). */
  async #standing(db: Db, call: Call, row: KeptRow | undefined): Promise<KeptRow | undefined> {
    if (row === undefined) return undefined
    const { target } = await this.#addressOf(db, call)
    return (await stillStands(db, call.operation.name, row, target)) ? row : undefined
  }

  /** The hash that tells the body of a call from another's; of an upload, only once its file has arrived. */
  async #bodyHash({ idempotency }: Call): Promise<string> {
    return (await idempotency?.file?.digest(this.environment.attachmentMaxBytes)) ?? idempotency?.bodyHash ?? ''
  }

  #keep(db: Db, call: Call, bodyHash: string, answer: Answer): Promise<void> | undefined {
    const { operation, caller, idempotency } = call
    if (idempotency === undefined || caller === null || operation.method !== 'POST') return undefined
    const { secret } = operation
    const body = secret === undefined ? answer.body : { ...(answer.body as object), [secret]: null }
    const kept = { status: answer.status, body }
    const keep = (result?: Result) =>
      keepAnswer(db, caller.id, placeOf(call), idempotency, bodyHash, { ...kept, result }, this.environment.clock())
    if (idempotency.whileItStands === undefined) return keep()
    return this.#addressOf(db, call).then(async ({ target }) => keep(await resultOf(db, target)))
  }

  #touch(agentId: string, lastUsedAt: string | null): void {
    const now = this.environment.clock()
    const last = this.#touched.get(agentId) ?? (lastUsedAt === null ? 0 : Date.parse(lastUsedAt))
    if (now - last < touchEveryMs) return
    this.#touched.set(agentId, now)
    const last_used_at = new Date(now).toISOString()
    this.database
      .write(db => db.updateTable('agents').set({ last_used_at }).where('id', '=', agentId).execute(), {
        lock: `agent ${agentId}`,
      })
      .catch(error => this.#onFault(error))
  }
}

/** Who calls over MCP, and the connection by which it came, if it did. */
export interface McpCaller {
  readonly caller: Caller
  readonly connection?: Connected['connection']
}

/**
 * Refuses a caller that is not the person whom an operation asks for (people).
 * @throws DomainError PERSON_REQUIRED
 */
function refuseImpersonal(
  { kind, present, id, name }: Caller,
  { caller: needs, permission, title }: AnyOperation,
): void {
  if (needs === undefined || (needs === 'present' ? present : kind === 'person')) return
  const gate = permission === '-' ? null : permission
  throw new PersonRequired({ needs, gate, what: title.toLowerCase(), persons: kind === 'person' ? [{ id, name }] : [] })
}

/** The board that a body names, of an operation whose path names none. */
/** The members of an answer that the caller may not read (crew 9.11). */
const hiddenIn = ({ parts = {} }: AnyOperation, ctx: Context): string[] =>
  Object.entries(parts)
    .filter(([, permission]) => !ctx.access.allows(permission))
    .map(([name]) => name)

function boardOfBody(body: unknown): string | null {
  const { board_id } = (body ?? {}) as { readonly board_id?: unknown }
  return typeof board_id === 'string' ? board_id : null
}

/**
 * The refusal of a field sent under two names with different values. An archived planning record is refused as
 * archived first (ideation, specs).
 */
function conflicting(field: string, target: Located | null): DomainError {
  if (target?.archived && isRootType(target.type)) return archived(target, target)
  return invalid(field, `${field} was sent under two names with different values. Send one of them.`)
}
