import type { RecordType } from '../kinds/kinds.ts'
import { refused } from './refused.ts'
import type { SourceRecord } from './source.ts'

interface Name {
  readonly column: string
  readonly kind: RecordType
  readonly id: string
}

/**
 * The records that a log entry or an external id is about. They need not be in the file, because deleted records leave
 * their entries and external ids, but they must not exist elsewhere: an import has no say about records there.
 * Guidelines are exempt, because global ones belong to no board.
 */
export function namedBy({ type, fields }: SourceRecord): Name[] {
  if (type !== 'history' && type !== 'external_id') return []
  const { entity_type, entity_id, card_id } = fields
  const kind = entity_type === 'architecture_design' ? 'architecture' : (entity_type as RecordType)
  return [
    ...(kind === 'guideline' ? [] : [{ column: 'entity_id', kind, id: String(entity_id) }]),
    ...(typeof card_id === 'string' ? [{ column: 'card_id', kind: 'card' as const, id: card_id }] : []),
  ]
}

/**
 * @param elsewhere kinds and ids of records that are not in the file and exist elsewhere
 * @throws DomainError VALIDATION_ERROR
 */
export function refuseElsewhere(record: SourceRecord, elsewhere: ReadonlySet<string>): void {
  if (elsewhere.size === 0) return
  for (const { column, kind, id } of namedBy(record))
    if (elsewhere.has(`${kind} ${id}`))
      throw refused(`${column} names the ${kind} ${id}, which is not in the file and exists elsewhere`, record.place)
}
