import { invalid } from '../../kernel/errors.ts'

/** The filters of a derivation, by the kind of part that they select (ideation 8.1). */
export interface Filters {
  readonly mockup_ids: readonly string[] | null
  readonly kb_ids: readonly string[] | null
  readonly architecture_design_ids: readonly string[] | null
  readonly architecture_propagation_mode: string
}

/**
 * The items that a filter selects, in their own order; without a filter, all items.
 * @throws DomainError VALIDATION_ERROR with `details`, the unknown ids
 */
export function chosen<Item extends { readonly id: string }>(
  field: keyof Filters,
  items: readonly Item[],
  ids: readonly string[] | null,
): readonly Item[] {
  if (ids === null) return items
  const selection = new Set(ids)
  const available = new Set(items.map(item => item.id))
  const unknown = [...selection].filter(id => !available.has(id))
  if (unknown.length > 0) {
    throw invalid(field, `The source has no items with the ids ${unknown.join(', ')}. Leave them out.`, {
      details: unknown,
    })
  }
  return items.filter(item => selection.has(item.id))
}
