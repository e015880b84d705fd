import type { Result } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { type Address, findsFor, resolveAddress } from '../access/records.ts'
import { type Environment, seenBy } from '../context.ts'
import type { Answer, Call, IdempotencyKey } from './call.ts'
import { type KeptRow, keepAnswer, keptFor, placeOf } from './idempotency.ts'
import { isStillTrue, resultOf } from './standing-answer.ts'

/** The answers that repetitions of a POST get again (crew 3). */
export class KeptAnswers {
  readonly #environment: Pick<Environment, 'clock' | 'attachmentMaxBytes'>

  constructor(environment: Pick<Environment, 'clock' | 'attachmentMaxBytes'>) {
    this.#environment = environment
  }

  /** The stored answer that a call would repeat; undefined for a first call, and if what it says is no longer true. */
  standing(db: Db, call: Call): Promise<KeptRow | undefined> | undefined {
    const repeatable = repeatableOf(call)
    if (repeatable === undefined) return undefined
    const { callerId, idempotency } = repeatable
    const existing = keptFor(db, callerId, placeOf(call), idempotency, this.#environment.clock())
    return idempotency.whileItStands === undefined ? existing : existing.then(row => ifStillTrue(db, call, row))
  }

  /** Stores the answer of a call that may be repeated; a secret that is shown once is not stored. */
  keep(db: Db, call: Call, bodyHash: string, answer: Answer): Promise<void> | undefined {
    const repeatable = repeatableOf(call)
    if (repeatable === undefined) return undefined
    const { callerId, idempotency } = repeatable
    const { secret } = call.operation
    const body = secret === undefined ? answer.body : { ...(answer.body as object), [secret]: null }
    const record = { status: answer.status, body }
    const keep = (result?: Result) =>
      keepAnswer(db, callerId, placeOf(call), idempotency, bodyHash, { ...record, result }, this.#environment.clock())
    if (idempotency.whileItStands === undefined) return keep()
    return addressOf(db, call).then(async ({ target }) => keep(await resultOf(db, target)))
  }

  /**
   * The hash that distinguishes the body of a call from other bodies; for an upload, available only once its file has
   * arrived.
   */
  async bodyHash({ idempotency }: Call): Promise<string> {
    return (await idempotency?.file?.digest(this.#environment.attachmentMaxBytes)) ?? idempotency?.bodyHash ?? ''
  }
}

/** The key of a call that may be repeated; undefined for others. */
export function repeatableOf({
  operation,
  caller,
  idempotency,
}: Call): { readonly callerId: string; readonly idempotency: IdempotencyKey } | undefined {
  if (idempotency === undefined || caller === null || operation.method !== 'POST') return undefined
  return { callerId: caller.id, idempotency }
}

/** A stored answer, as long as what it says is still true (crew 3). */
async function ifStillTrue(db: Db, call: Call, row: KeptRow | undefined): Promise<KeptRow | undefined> {
  if (row === undefined) return undefined
  const { target } = await addressOf(db, call)
  return (await isStillTrue(db, call.operation.name, row, target)) ? row : undefined
}

const addressOf = (db: Db, { operation, input, caller }: Call): Promise<Address> =>
  resolveAddress(db, operation, input.params, findsFor(db, seenBy(caller!)))
