import type { Located } from './access/records.ts'
import { blocked, type DomainError } from './errors.ts'

/** The refusal of a write on or below an archived record (access 6). `root` is what restoring it takes: its own record, or its spec. */
export function archived(
  record: Pick<Located, 'type' | 'id' | 'board_id'>,
  root: { readonly type: string; readonly id: string } | null,
): DomainError {
  const restore = root === null ? null : `/api/v1/boards/${record.board_id}/restore/${root.type}/${root.id}`
  const way = restore === null ? '' : ` Restore it with POST ${restore}.`
  return blocked('ARCHIVED', `This ${record.type} is archived and takes no writes.${way}`, {
    entity_type: record.type,
    entity_id: record.id,
    restore,
  })
}

/**
 * Refuses a write on an archived ideation, refinement or spec.
 * @throws DomainError ARCHIVED
 */
export function refuseArchived(record: Located): void {
  if (record.archived) throw archived(record, record)
}
