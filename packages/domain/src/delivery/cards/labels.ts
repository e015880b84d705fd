import { mostLabels } from '@specboard/contract'
import { invalid } from '../../kernel/errors.ts'

/**
 * The labels of a card without those to remove and with those to add (board 6). One that is there already, or is not
 * there to be removed, changes nothing.
 * @throws DomainError VALIDATION_ERROR when they become too many
 */
export function labelsAfter(
  before: readonly string[] | null,
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] | null {
  const after = [...new Set([...(before ?? []).filter(label => !removed.includes(label)), ...added])]
  if (after.length > mostLabels)
    throw invalid('add_labels', `A card has at most ${mostLabels} labels; it would have ${after.length}. Remove some.`)
  return before === null && after.length === 0 ? null : after
}
