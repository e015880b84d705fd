/** Finds what an id refers to if it does not refer to a record of the expected kind (crew 9.5). */
import { partKindOf, partKinds } from '@specboard/contract'
import { parsePartReference } from '../../lib/reference.ts'
import type { Db } from '../../schema/database.ts'
import { type RecordType, reachByType } from '../access/records.ts'
import { type Namer, ReferenceTexts } from '../access/referred.ts'
import { DomainError } from '../errors.ts'
import { refsInLog } from '../references.ts'

/** The kinds of record that are mistaken for one another, the most frequent first. */
const kinds: readonly RecordType[] = ['card', 'spec', 'ideation', 'refinement', 'sprint', 'board']

/** A record by its kind and id. */
interface FoundRecord {
  readonly type: RecordType
  readonly id: string
}

/** The record of one of these kinds that an id or reference names; undefined if none is visible. */
export async function recordAmong(
  db: Db,
  namer: Namer,
  types: readonly RecordType[],
  name: string,
): Promise<FoundRecord | undefined> {
  const named = new ReferenceTexts()
  named.add('any', name)
  const id = (await named.find(db, namer))('any', name)
  for (const type of types) {
    const found = await reachByType(db, type, id, namer.agentId).catch(() => undefined)
    if (found !== undefined && (namer.within === undefined || found.way.boardId === namer.within)) return { type, id }
  }
  return undefined
}

/** The part that a reference names; undefined for any other text, and if none is visible (crew 8.2). */
async function partNamed(db: Db, namer: Namer, text: string) {
  const reference = parsePartReference(text)
  const entity_type = reference && partKindOf(reference.letter)
  if (reference === undefined || entity_type === undefined) return undefined
  const named = new ReferenceTexts()
  named.add(entity_type, text)
  if ((await named.find(db, namer))(entity_type, text) === text) return undefined
  const { key, number, letter, part } = reference
  return { entity_type, ref: `${key}-${number}.${letter}${part}` }
}

/**
 * Adds what the id really names to the refusal of a call that names a record of another kind: `is` {entity_type, ref};
 * any other refusal is unchanged.
 */
export async function withOtherKind(db: Db, namer: Namer, error: DomainError): Promise<DomainError> {
  const { entity_type, entity_id } = error.extra
  if (typeof entity_id !== 'string' || ![...kinds, ...partKinds].some(kind => kind === entity_type)) return error
  const part = await partNamed(db, namer, entity_id)
  if (part !== undefined && part.entity_type !== entity_type)
    return new DomainError(error.code, error.message, { ...error.extra, is: part })
  const others = kinds.filter(kind => kind !== entity_type)
  const found = await recordAmong(db, namer, others, entity_id)
  if (found === undefined) return error
  const ref = (await refsInLog(db, [found.id])).get(found.id) ?? null
  return new DomainError(error.code, error.message, { ...error.extra, is: { entity_type: found.type, ref } })
}
