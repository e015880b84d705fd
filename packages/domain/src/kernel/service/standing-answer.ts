/** Whether what a stored answer says is still true (crew 3). */
import { sql } from 'kysely'
import { parseJson } from '../../lib/json.ts'
import type { Result } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import type { AddressedRecord } from '../access/records.ts'
import type { KeptRow } from './idempotency.ts'

/** Where the record made by an operation is stored, by the words that the operation's name ends with. */
const madeIn: readonly (readonly [string, string])[] = [
  ['_comment', 'comments'],
  ['_question', 'questions'],
  ['_task_validation', 'task_validations'],
  ['_spec_validation', 'spec_validations'],
  ['create_ideation', 'ideations'],
  ['create_refinement', 'refinements'],
  ['create_spec', 'specs'],
  ['create_sprint', 'sprints'],
  ['create_card', 'cards'],
  ['create_board', 'boards'],
  ['create_guideline', 'guidelines'],
  ['create_preset', 'presets'],
  ['create_board_share', 'shares'],
  ['create_webhook', 'webhooks'],
  ['create_view', 'saved_views'],
  ['create_template', 'templates'],
  ['create_repository', 'repositories'],
  ['_architecture', 'architecture_designs'],
]

const tableOf = (operation: string): string | undefined => madeIn.find(([end]) => operation.endsWith(end))?.[1]

/** The result of a call: the status of the record that it addressed, and for a card its current validation round. */
export async function resultOf(db: Db, target: AddressedRecord | null): Promise<Result | undefined> {
  if (target === null || target.status === null) return undefined
  return { status: target.status, stay: target.type === 'card' ? await stayOf(db, target.id) : null }
}

async function stayOf(db: Db, cardId: string): Promise<number | null> {
  const card = await db.selectFrom('cards').select('validation_stay').where('id', '=', cardId).executeTakeFirst()
  return card?.validation_stay ?? null
}

/**
 * Whether the record that a call made still exists, and what it moved or judged is still in the resulting status and
 * validation round.
 * @param now the current state of the record that the call addresses
 */
export async function isStillTrue(
  db: Db,
  operation: string,
  row: KeptRow,
  now: AddressedRecord | null,
): Promise<boolean> {
  const { body, result } = parseJson(row.answer)
  const judges = operation.startsWith('move_') || operation.startsWith('submit_')
  if (judges && result !== undefined) {
    const present = await resultOf(db, now)
    if (present?.status !== result.status || present.stay !== result.stay) return false
  }
  const table = tableOf(operation)
  const id = (body as { readonly id?: unknown } | null | undefined)?.id
  if (table === undefined || typeof id !== 'string') return true
  const found = await sql<{ one: number }>`select 1 as one from ${sql.table(table)} where id = ${id}`.execute(db)
  return found.rows.length > 0
}
