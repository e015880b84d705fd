import { sql } from 'kysely'
import { archived } from '../../kernel/archived.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Db } from '../../schema/database.ts'
import type { SpecRecord } from './store.ts'

type Origin = Pick<SpecRecord, 'board_id' | 'ideation_id' | 'refinement_id'>

/**
 * Checks that the ideation and refinement of a spec are on its board, and that the refinement belongs to the ideation
 * (specs 2.1).
 * @param below whether a record is created below them, which archived ones do not allow
 * @throws DomainError ARCHIVED, VALIDATION_ERROR
 */
export async function checkOrigin(db: Db, spec: Origin, { below }: { readonly below: boolean }): Promise<void> {
  const { board_id, ideation_id, refinement_id } = spec
  const ideation = ideation_id === null ? undefined : await found(db, 'ideation', ideation_id, board_id)
  const refinement = refinement_id === null ? undefined : await found(db, 'refinement', refinement_id, board_id)
  for (const record of [ideation, refinement])
    if (below && record !== undefined && record.archived === 1) throw archived(record, record)
  if (ideation_id !== null && ideation === undefined)
    throw invalid('ideation_id', `This board has no ideation ${ideation_id}. Send one of this board, or null.`)
  if (refinement_id !== null && refinement === undefined)
    throw invalid('refinement_id', `This board has no refinement ${refinement_id}. Send one of this board, or null.`)
  if (ideation !== undefined && refinement !== undefined && refinement.ideation_id !== ideation.id)
    throw invalid('refinement_id', `The refinement ${refinement.id} does not belong to ideation ${ideation.id}.`)
}

interface FoundOrigin {
  readonly id: string
  readonly board_id: string
  readonly archived: number
  readonly ideation_id: string
}

async function found<const Type extends 'ideation' | 'refinement'>(db: Db, type: Type, id: string, boardId: string) {
  const ideation = sql.ref(type === 'ideation' ? 'id' : 'ideation_id')
  const { rows } = await sql<FoundOrigin>`select id, board_id, archived, ${ideation} as ideation_id
    from ${sql.table(`${type}s`)} where id = ${id} and board_id = ${boardId}`.execute(db)
  return rows[0] === undefined ? undefined : { ...rows[0], type }
}
