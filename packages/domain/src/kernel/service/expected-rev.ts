import { type AnyOperation, pathNames } from '@specboard/contract'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { Schema } from '../../schema/tables.ts'
import { type DomainError, invalid } from '../errors.ts'
import type { Call } from './call.ts'
import { revOfTag, takesRev } from './etag.ts'

/**
 * A call with `expected_rev` removed from its body: it guards the write, and is not a field of the record (crew 2.2).
 */
export function withGuard(call: Call): Call {
  const { operation, input } = call
  if (!operation.hasBody || typeof input.body !== 'object' || input.body === null) return call
  if (!('expected_rev' in input.body) || !takesRev(operation)) return call
  const { expected_rev, ...body } = input.body as { readonly expected_rev?: number }
  return { ...call, expectedRev: expected_rev, input: { ...input, body } as Call['input'] }
}

/** The tables of the records that path parameters name and that have a `rev`. */
const tables: Readonly<Record<string, keyof Schema>> = {
  ideation_id: 'ideations',
  refinement_id: 'refinements',
  spec_id: 'specs',
  sprint_id: 'sprints',
  card_id: 'cards',
  guideline_id: 'guidelines',
  design_id: 'architecture_designs',
}

const revIn = (table: keyof Schema) =>
  hot<{ id: string }, { rev: number }>(
    (_, param) => sql<{ rev: number }>`select rev from ${sql.table(table)} where id = ${param('id')}`,
  )

const revs = Object.fromEntries(Object.entries(tables).map(([param, table]) => [param, revIn(table)]))

/** The current `rev` of the record that a representation shows; undefined for one that has none. */
export async function presentRev(
  db: Db,
  representation: AnyOperation,
  params: Readonly<Record<string, unknown>>,
): Promise<number | undefined> {
  const names = pathNames(representation.path)
  const read = names.length === 1 ? revs[names[0]!] : undefined
  return read === undefined ? undefined : (await read(db, { id: String(params[names[0]!]) }))[0]?.rev
}

/**
 * Refuses a call that names two different states of its record to start from.
 * @param tags those of `If-Match`
 * @throws DomainError VALIDATION_ERROR
 */
export function refuseDifferentGuards(expectedRev: number | undefined, tags: readonly string[] | undefined): void {
  if (expectedRev === undefined || tags === undefined || tags.some(tag => revOfTag(tag) === expectedRev)) return
  throw differentGuards(expectedRev)
}

const differentGuards = (rev: number): DomainError =>
  invalid('expected_rev', `If-Match and expected_rev ${rev} name different states of the record. Send one of them.`)
