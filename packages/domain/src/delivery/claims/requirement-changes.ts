import type { ClaimRecord } from '../../planning/summaries/claims.ts'
import type { CardRecord, Requirement } from '../card-record/record.ts'

/** What changed in what a card is to satisfy since it was claimed, and its holder has not read (crew 4.3). */
export function unreadChanges(
  { requirement_changes, changes_read_at }: Pick<CardRecord, 'requirement_changes' | 'changes_read_at'>,
  claim: ClaimRecord | null,
): Requirement[] {
  if (claim === null) return []
  const since = changes_read_at !== null && changes_read_at > claim.claimed_at ? changes_read_at : claim.claimed_at
  return requirement_changes.filter(({ at }) => at > since)
}
