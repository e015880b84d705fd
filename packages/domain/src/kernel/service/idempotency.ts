import { createHash } from 'node:crypto'
import type { AnyOperation } from '@specboard/contract'
import type { Json } from '@specboard/storage'
import { parseJson, toJson } from '../../lib/json.ts'
import type { KeptAnswer } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { DomainError } from '../errors.ts'
import type { AnyInput } from '../implement.ts'
import type { Answer, IdempotencyKey } from './call.ts'

/** The hash of a JSON value, independent of the order of members. */
export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, inOrder) ?? '')
    .digest('hex')

/** Puts the members of an object in the order of their names. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/**
 * The path of a call with the ids of its records, however its caller wrote them: the place under which an answer is
 * stored.
 */
export const placeOf = ({ operation, input }: { readonly operation: AnyOperation; readonly input: AnyInput }): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((input.params as Readonly<Record<string, unknown>>)[name])),
  )

const dayMs = 86_400_000

/** The row of a stored answer. */
export interface KeptRow {
  readonly body_hash: string
  readonly answer: Json<KeptAnswer>
}

/** The answer stored in the last 24 h for this key, from this agent, on this path; undefined when there is none. */
export const keptFor = (
  db: Db,
  agentId: string,
  path: string,
  { key, whileItStands = dayMs }: IdempotencyKey,
  nowMs: number,
): Promise<KeptRow | undefined> =>
  db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'answer'])
    .where('agent_id', '=', agentId)
    .where('path', '=', path)
    .where('key', '=', key)
    .where('created_at', '>', new Date(nowMs - whileItStands).toISOString())
    .executeTakeFirst()

/**
 * The first answer to a key, for its repetition.
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when the first request had another body
 */
export function replay(
  row: KeptRow,
  { bodyHash, whileItStands }: Pick<IdempotencyKey, 'bodyHash' | 'whileItStands'>,
): Answer {
  if (row.body_hash !== bodyHash) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used before with another body. Use a new key for a new request.',
    )
  }
  const { status, body } = parseJson(row.answer)
  return { status, body, ...(whileItStands !== undefined && { repeated: true }) }
}

/** Stores an answer for replay, and deletes answers older than 24 h. */
export async function keepAnswer(
  db: Db,
  agentId: string,
  path: string,
  { key, whileItStands }: IdempotencyKey,
  bodyHash: string,
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
      answer: toJson(answer),
      created_at: new Date(nowMs).toISOString(),
    })
    .onConflict(conflict =>
      whileItStands === undefined
        ? conflict.doNothing()
        : conflict.columns(['agent_id', 'path', 'key']).doUpdateSet(eb => ({
            answer: eb.ref('excluded.answer'),
            created_at: eb.ref('excluded.created_at'),
          })),
    )
    .execute()
}
