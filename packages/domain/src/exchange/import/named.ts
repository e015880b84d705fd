import type { RecordType } from '../kinds/kinds.ts'
import { refused } from './refused.ts'
import type { Incoming } from './source.ts'

interface Name {
  readonly column: string
  readonly kind: RecordType
  readonly id: string
}

/**
 * The records that an entry of the event log or an external id is about. They need not be in the file, because what is
 * deleted leaves its entries and external ids, but they must not stand in another place: what is told of a record there is
 * not for an import to say. Of guidelines nothing is told by their ids, and global ones stand on no board.
 */
export function namedBy({ type, fields }: Incoming): Name[] {
  if (type !== 'history' && type !== 'external_id') return []
  const { entity_type, entity_id, card_id } = fields
  const kind = entity_type === 'architecture_design' ? 'architecture' : (entity_type as RecordType)
  return [
    ...(kind === 'guideline' ? [] : [{ column: 'entity_id', kind, id: String(entity_id) }]),
    ...(typeof card_id === 'string' ? [{ column: 'card_id', kind: 'card' as const, id: card_id }] : []),
  ]
}

/**
 * @param elsewhere kinds and ids of records that are not in the file and stand in another place
 * @throws DomainError VALIDATION_ERROR
 */
export function refuseElsewhere(record: Incoming, elsewhere: ReadonlySet<string>): void {
  if (elsewhere.size === 0) return
  for (const { column, kind, id } of namedBy(record))
    if (elsewhere.has(`${kind} ${id}`))
      throw refused(
        `${column} names the ${kind} ${id}, which is not in the file and stands in another place`,
        record.place,
      )
}
