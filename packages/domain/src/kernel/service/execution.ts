import { type AnyOperation, isOpenRead, isReading } from '@specboard/contract'
import type { WriteOptions } from '@specboard/storage'
import type { Schema } from '../../schema/tables.ts'
import { anyMark, archivedBy, ConfirmationWanted, isConfirmed, subjectOf, useOnce } from '../confirmation.ts'
import type { Context, Environment } from '../context.ts'
import type { Runner, Steps } from '../implement.ts'
import type { Admission } from './admission.ts'
import { answerOf } from './answer-of.ts'
import type { Answer, Call } from './call.ts'
import type { ServiceDatabase } from './composition.ts'
import { isConcerned } from './concerned.ts'
import { placeOf, replay } from './idempotency.ts'
import { type KeptAnswers, repeatableOf } from './kept-answers.ts'
import type { Match } from './match.ts'
import type { ReadPool } from './read-pool.ts'
import type { Units } from './units.ts'

/** The parts that are needed to run calls. */
export interface ExecutionParts {
  readonly database: ServiceDatabase
  readonly environment: Environment
  readonly admission: Admission
  readonly match: Match
  readonly answers: KeptAnswers
  readonly units: Units
  readonly readPool: ReadPool | undefined
  readonly freshen: ((call: Call) => Promise<void> | undefined) | undefined
  /** Fires when the service stops. */
  readonly ending: AbortSignal
}

type Plain = Runner & { readonly steps: false }
type InSteps = Runner & { readonly steps: true }

/**
 * The middle stages of a call: it is admitted, matched against the state that it started from and run, and its answer
 * is stored. A read runs in one read of the database, a write in one unit of work, and an operation that awaits
 * anything else in steps.
 */
export class Execution {
  readonly #parts: ExecutionParts

  constructor(parts: ExecutionParts) {
    this.#parts = parts
  }

  /** Runs a call whose implementation is loaded, here or in a thread. */
  async run(call: Call, runner: Runner): Promise<Answer> {
    const isRead = isReading(call.operation)
    const readPool = isRead ? this.#parts.readPool : undefined
    if (readPool !== undefined && (await readPool.shouldOffload(call, runner.steps)))
      return this.#freshly(call, () => readPool.perform(call))
    // Steps pass the gates one by one.
    if (runner.steps) return this.#inSteps(call, runner)
    return this.#freshly(call, () => (isRead ? this.#read(call, runner) : this.#write(call, runner)))
  }

  /** The answer of a write that is already done, for an operation whose answer is read afterwards (`answeredBy`). */
  async answer(call: Call, { answer }: Plain): Promise<Answer> {
    const { operation, input } = call
    if (answer === undefined) throw new Error(`${operation.name} returns what it writes.`)
    const { database, admission } = this.#parts
    return answerOf(operation, await database.read(async db => answer(input, await admission.admit(db, call))))
  }

  /** Runs a call, or a step of it, once no board that it shows or changes is closed. */
  #throughGates<Value>(call: Call, run: () => Promise<Value>): Promise<Value> {
    const { environment, admission, database } = this.#parts
    return environment.gates.through(
      () => admission.boardOf(call),
      run,
      touched =>
        database.read(async db =>
          isConcerned(db, call.operation, call.input, await admission.addressOf(db, call), touched),
        ),
    )
  }

  /**
   * Runs a whole call once no board that it shows or changes is closed, and the derived data that it reads is fresh.
   */
  #freshly(call: Call, run: () => Promise<Answer>): Promise<Answer> {
    return this.#throughGates(call, async () => {
      const fresh = this.#parts.freshen?.(call)
      if (fresh !== undefined) await fresh
      return run()
    })
  }

  async #read(call: Call, runner: Plain): Promise<Answer> {
    const { database, admission, units } = this.#parts
    const { ctx, result } = await database.read(
      async db => {
        const settled = await admission.settle(db, call)
        return { ctx: settled, result: await runner.run(call.input, settled) }
      },
      { onReplica: true },
    )
    for (const follow of ctx.following) await units.commit(db => admission.settle(db, call), follow, call)
    const hidden = hiddenIn(call.operation, ctx)
    const answer = answerOf(call.operation, result)
    return hidden.length === 0 ? answer : { ...answer, hidden }
  }

  async #write(call: Call, runner: Plain): Promise<Answer> {
    const { units, admission, match, answers, readPool } = this.#parts
    const answer = await units.commit(
      db => admission.settle(db, call),
      async ctx => {
        const { bodyHash, whileItStands } = call.idempotency ?? { bodyHash: '' }
        const before = await answers.standing(ctx.db, call)
        if (before !== undefined) return replay(before, { bodyHash, whileItStands })
        await match.checkCut(ctx, call)
        await match.check(ctx, call)
        const confirm = await this.#confirming(ctx, call)
        const answer = answerOf(call.operation, await runner.run(call.input, ctx))
        await confirm?.(answer.body)
        await this.#tellTexts(ctx, call, answer.body)
        await answers.keep(ctx.db, call, bodyHash, answer)
        call.abort?.throwIfAborted()
        return ctx.warnings.length === 0 ? answer : { ...answer, warnings: ctx.warnings }
      },
      call,
    )
    if (runner.answer === undefined) return answer
    if (answer.warnings !== undefined) return withWarnings(await this.answer(call, runner), answer.warnings)
    return (await readPool?.shouldOffload(call, false)) ? readPool!.perform(call) : this.answer(call, runner)
  }

  /**
   * The check, once a call has run, whether the person at the client has to confirm it first (people 4): by then
   * everything else could have refused the call, and nothing is committed yet.
   */
  async #confirming(ctx: Context, call: Call): Promise<((answer: unknown) => Promise<void>) | undefined> {
    const { operation, input, confirmation } = call
    if (confirmation === undefined || operation.confirm === undefined) return undefined
    const { mark, use, isRehearsal } = confirmation
    const found = await subjectOf(ctx, operation, input)
    return async answer => {
      const isNeeded = isConfirmed(operation, input, answer)
      const subject = { ...found, parts: { ...found.parts, ...archivedBy(answer) } }
      if (isRehearsal) throw new ConfirmationWanted(subject, isNeeded)
      if (!isNeeded) return
      if (mark !== anyMark && mark !== subject.mark) throw new ConfirmationWanted(subject)
      if (use !== undefined && !(await useOnce(ctx.db, use))) throw new ConfirmationWanted(subject)
    }
  }

  /** Reports what a call wrote, once some of it is in the log. */
  async #tellTexts(ctx: Context, { operation, input }: Call, answer: unknown): Promise<void> {
    if (ctx.recorded.length === 0) return
    const { params, body } = input
    await this.#parts.environment.onTexts(ctx, { operation: operation.name, params, body, answer })
  }

  #inSteps(call: Call, runner: InSteps): Promise<Answer> {
    const repeatable = repeatableOf(call)
    if (repeatable === undefined) return this.#runSteps(call, runner)
    // Steps are several units of work: without the queue, two concurrent calls with one key would both run.
    const name = JSON.stringify([repeatable.callerId, placeOf(call), repeatable.idempotency.key])
    return this.#parts.units.inTurn(name, () => this.#runSteps(call, runner))
  }

  async #runSteps(call: Call, runner: InSteps): Promise<Answer> {
    const { database, admission, match, answers } = this.#parts
    // Health is answered even if the database does not answer.
    const before = isOpenRead(call.operation)
      ? undefined
      : await database.read(async db => {
          const ctx = await admission.settle(db, call)
          const found = await answers.standing(db, call)
          if (found === undefined) await match.check(ctx, call)
          return found
        })
    if (before !== undefined)
      return replay(before, { bodyHash: await answers.bodyHash(call), whileItStands: call.idempotency?.whileItStands })
    const { steps, isKept } = this.#stepsOf(call)
    const answer = answerOf(call.operation, await runner.run(call.input, steps))
    if (call.idempotency !== undefined && !isKept()) {
      const bodyHash = await answers.bodyHash(call)
      await database.write(async db => answers.keep(db, call, bodyHash, answer), {
        lock: `answers of ${call.caller?.id}`,
      })
    }
    return answer
  }

  /** The steps that an implementation works with, and whether one of them has stored the answer. */
  #stepsOf(call: Call): { readonly steps: Steps; readonly isKept: () => boolean } {
    const { database, environment, admission, answers, ending } = this.#parts
    let signal: AbortSignal | undefined
    let isKept = false
    const write = this.#stepOf(call, {})
    const steps: Steps = {
      read: run => this.#throughGates(call, () => database.read(async db => run(await admission.settle(db, call)))),
      write,
      writePiece: this.#stepOf(call, { isPiece: true }),
      finish: async (run, boardId) => {
        const bodyHash = await answers.bodyHash(call)
        isKept = true
        return write(async ctx => {
          const value = await run(ctx)
          await answers.keep(ctx.db, call, bodyHash, answerOf(call.operation, value))
          return value
        }, boardId)
      },
      compensate: (run, boardId) => database.write(run, { lock: boardId }),
      signal: () => {
        signal ??= AbortSignal.any([call.signal?.() ?? call.abort, ending].filter(part => part !== undefined))
        return signal
      },
      environment,
      following: call.following ?? { live: false },
    }
    return { steps, isKept: () => isKept }
  }

  /** A step that writes: a unit of work of its own, for which the call is admitted again. */
  #stepOf(call: Call, options: Pick<WriteOptions<Schema>, 'isPiece'>): Steps['write'] {
    const { units, admission } = this.#parts
    return (run, boardId) =>
      this.#throughGates(call, () =>
        units.commit(
          db => admission.settle(db, call),
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
  }
}

/** The answer to a write that is read afterwards, with what the write warned of (git 6). */
const withWarnings = (answer: Answer, warnings: readonly string[]): Answer => ({
  ...answer,
  body: Object.assign({}, answer.body, { warnings }),
})

/** The members of an answer that the caller may not read (crew 9.11). */
const hiddenIn = ({ parts = {} }: AnyOperation, ctx: Context): string[] =>
  Object.entries(parts)
    .filter(([, permission]) => !ctx.access.allows(permission))
    .map(([name]) => name)
