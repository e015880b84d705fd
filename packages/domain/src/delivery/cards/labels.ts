import { maxLabels, maxPatterns } from '@specboard/contract'
import { invalid } from '../../kernel/errors.ts'

/** A list without the elements to remove and with those to add, each once. */
const after = (before: readonly string[], added: readonly string[], removed: readonly string[]): string[] => [
  ...new Set([...before.filter(element => !removed.includes(element)), ...added]),
]

/**
 * The labels of a card after removals and additions (board 6). Adding a present label, or removing an absent one,
 * changes nothing.
 * @throws DomainError VALIDATION_ERROR when they become too many
 */
export function labelsAfter(
  before: readonly string[] | null,
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] | null {
  const labels = after(before ?? [], added, removed)
  if (labels.length > maxLabels)
    throw invalid('add_labels', `A card has at most ${maxLabels} labels; it would have ${labels.length}. Remove some.`)
  return before === null && labels.length === 0 ? null : labels
}

/**
 * The scope of a card after removals and additions of patterns (harness 4.1).
 * @throws DomainError VALIDATION_ERROR when they become too many
 */
export function pathsAfter(
  before: readonly string[],
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] {
  const paths = after(before, added, removed)
  if (paths.length > maxPatterns)
    throw invalid(
      'add_paths',
      `A scope has at most ${maxPatterns} patterns; it would have ${paths.length}. Remove some.`,
    )
  return paths
}
