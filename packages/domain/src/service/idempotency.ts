import { DomainError } from '../errors.ts'
import type { Db } from '../storage/executor.ts'

/** What a repeated POST is known by (general, Wire). */
export interface IdempotencyKey {
  readonly key: string
  /** The path as requested. */
  readonly path: string
  /** Hash of the request's body. */
  readonly bodyHash: string
}

/** An answer as it is kept for replay. */
export interface KeptAnswer {
  readonly status: number
  readonly body: unknown
}

const dayMs = 86_400_000

const keptFor = (db: Db, agentId: string, { key, path }: IdempotencyKey, nowMs: number) =>
  db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'answer'])
    .where('agent_id', '=', agentId)
    .where('path', '=', path)
    .where('key', '=', key)
    .where('created_at', '>', new Date(nowMs - dayMs).toISOString())
    .executeTakeFirst()

/** Whether this key came before from this agent on this path within 24 h, and was answered. */
export const cameBefore = async (db: Db, agentId: string, key: IdempotencyKey, nowMs: number): Promise<boolean> =>
  (await keptFor(db, agentId, key, nowMs)) !== undefined

/**
 * The first answer to this key from this agent on this path within 24 h, or undefined.
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when it came with another body
 */
export async function replay(
  db: Db,
  agentId: string,
  idempotency: IdempotencyKey,
  nowMs: number,
): Promise<KeptAnswer | undefined> {
  const kept = await keptFor(db, agentId, idempotency, nowMs)
  if (kept === undefined) return undefined
  if (kept.body_hash !== idempotency.bodyHash) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key came before with another body. Use a new key for a new request.',
    )
  }
  return JSON.parse(kept.answer) as KeptAnswer
}

/** Keeps an answer for replay and forgets those older than 24 h. */
export async function keepAnswer(
  db: Db,
  agentId: string,
  { key, path, bodyHash }: IdempotencyKey,
  answer: KeptAnswer,
  nowMs: number,
): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', new Date(nowMs - dayMs).toISOString())
    .execute()
  await db
    .insertInto('idempotency_keys')
    .values({
      agent_id: agentId,
      path,
      key,
      body_hash: bodyHash,
      answer: JSON.stringify(answer),
      created_at: new Date(nowMs).toISOString(),
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
