import type { AddressedRecord } from './access/records.ts'
import { blocked, type DomainError, refuse } from './errors.ts'

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
  record: Pick<AddressedRecord, 'type' | 'id' | 'board_id'>,
  root: { readonly type: string; readonly id: string } | null,
): DomainError {
  const restore = root === null ? null : `/api/v1/boards/${record.board_id}/restore/${root.type}/${root.id}`
  const way = root === null ? '' : ` Restore ${root.id === record.id ? 'it' : `its ${root.type}`} with restore_record.`
  return blocked('ARCHIVED', `This ${record.type} is archived and takes no writes.${way}`, {
    entity_type: record.type,
    entity_id: record.id,
    restore,
  })
}

/** The ARCHIVED refusal for an archived ideation, refinement or spec; null for any other. */
export const archivedRefusal = (
  record: Pick<AddressedRecord, 'type' | 'id' | 'board_id' | 'archived'>,
): DomainError | null => (record.archived ? archived(record, record) : null)

interface ArchivablePart {
  readonly id: string
  readonly board_id: string
  readonly archived: boolean
}

/**
 * The ARCHIVED refusal for an archived sprint; null for any other. Restoring its spec restores the sprint (access 6).
 */
export const archivedSprint = (sprint: ArchivablePart & { readonly spec_id: string }): DomainError | null =>
  sprint.archived ? archived({ ...sprint, type: 'sprint' }, { type: 'spec', id: sprint.spec_id }) : null

/** The ARCHIVED refusal for an archived card; null for any other. Restoring its spec restores the card (access 6). */
export const archivedCard = (card: ArchivablePart & { readonly spec_id: string | null }): DomainError | null =>
  card.archived
    ? archived({ ...card, type: 'card' }, card.spec_id === null ? null : { type: 'spec', id: card.spec_id })
    : null

/**
 * Refuses a write on an archived ideation, refinement or spec.
 * @throws DomainError ARCHIVED
 */
export const refuseArchived = (record: AddressedRecord): void => refuse(archivedRefusal(record))

/**
 * Refuses a write on an archived sprint.
 * @throws DomainError ARCHIVED
 */
export const refuseArchivedSprint = (sprint: Parameters<typeof archivedSprint>[0]): void =>
  refuse(archivedSprint(sprint))

/**
 * Refuses a write on an archived card or on a part of it.
 * @throws DomainError ARCHIVED
 */
export const refuseArchivedCard = (card: Parameters<typeof archivedCard>[0]): void => refuse(archivedCard(card))
