import type { Located } from './access/records.ts'
import { blocked, type DomainError } from './errors.ts'

/** The kinds of record that can be archived or restored, each with everything below it (access 6). */
export const rootTypes = ['ideation', 'refinement', 'spec'] as const

/** A kind of record that can be archived or restored. */
export type RootType = (typeof rootTypes)[number]

/** Whether a word names a kind of record that can be archived. */
export const isRootType = (word: string): word is RootType => (rootTypes as readonly string[]).includes(word)

/**
 * The refusal of a write on or below an archived record (access 6). `root` is the record to restore: the archived
 * record itself, or its spec; null when there is none.
 */
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

/**
 * Refuses a write on an archived sprint. Restoring its spec restores the sprint (access 6).
 * @throws DomainError ARCHIVED
 */
export function refuseArchivedSprint(sprint: {
  readonly id: string
  readonly board_id: string
  readonly spec_id: string
  readonly archived: boolean
}): void {
  if (!sprint.archived) return
  throw archived({ type: 'sprint', id: sprint.id, board_id: sprint.board_id }, { type: 'spec', id: sprint.spec_id })
}

/**
 * Refuses a write on an archived card or on a part of it. Restoring its spec restores the card (access 6).
 * @throws DomainError ARCHIVED
 */
export function refuseArchivedCard(card: {
  readonly id: string
  readonly board_id: string
  readonly spec_id: string | null
  readonly archived: boolean
}): void {
  if (!card.archived) return
  throw archived(
    { type: 'card', id: card.id, board_id: card.board_id },
    card.spec_id === null ? null : { type: 'spec', id: card.spec_id },
  )
}
