/** What an id that names no record of a kind names instead (crew 9.5). */
import type { Db } from '../../schema/database.ts'
import { type RecordType, reachByType } from '../access/records.ts'
import { Named, type Namer } from '../access/referred.ts'
import { DomainError } from '../errors.ts'
import { refsInLog } from '../references.ts'

/** The kinds of record that are taken for one another, the most usual first. */
const kinds: readonly RecordType[] = ['card', 'spec', 'ideation', 'refinement', 'sprint', 'board']

/**
 * The refusal of a call that names a record of another kind, with what it is: `is` {entity_type, ref}; any other refusal as
 * it is.
 */
export async function withOtherKind(db: Db, namer: Namer, error: DomainError): Promise<DomainError> {
  const { entity_type, entity_id } = error.extra
  if (!kinds.some(kind => kind === entity_type) || typeof entity_id !== 'string') return error
  const named = new Named()
  named.add('any', entity_id)
  const id = (await named.find(db, namer))('any', entity_id)
  for (const kind of kinds) {
    if (kind === entity_type) continue
    const found = await reachByType(db, kind, id, namer.agentId).catch(() => undefined)
    if (found === undefined || (namer.within !== undefined && found.way.boardId !== namer.within)) continue
    const ref = (await refsInLog(db, [id])).get(id) ?? null
    return new DomainError(error.code, error.message, { ...error.extra, is: { entity_type: kind, ref } })
  }
  return error
}
