import { mostLabels, mostPatterns } from '@specboard/contract'
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

/**
 * The scope of a card without the patterns to remove and with those to add (harness 4.1).
 * @throws DomainError VALIDATION_ERROR when they become too many
 */
export function pathsAfter(
  before: readonly string[],
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] {
  const after = [...new Set([...before.filter(pattern => !removed.includes(pattern)), ...added])]
  if (after.length > mostPatterns)
    throw invalid(
      'add_paths',
      `A scope has at most ${mostPatterns} patterns; it would have ${after.length}. Remove some.`,
    )
  return after
}
