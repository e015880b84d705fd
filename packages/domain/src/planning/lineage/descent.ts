import type { CardRow, LineageRows, RefinementRow, SpecRow, SprintRow } from './store.ts'

/** The records above the specs and cards of a tree. */
export interface Descent {
  /** The refinement or ideation of the tree that a spec was derived from; null for a standalone spec. */
  originOf(spec: SpecRow): { readonly type: 'refinement' | 'ideation'; readonly id: string } | null
  /** The sprint that a card is in, if it is a sprint of the card's spec. */
  sprintOf(card: CardRow): SprintRow | null
}

/** Finds the records above specs and cards in the rows of a tree. */
export function descentOf({ refinements, sprints }: Pick<LineageRows, 'refinements' | 'sprints'>): Descent {
  const refinementById = new Map<string | null, RefinementRow>(refinements.map(row => [row.id, row]))
  const sprintById = new Map<string | null, SprintRow>(sprints.map(row => [row.id, row]))
  return {
    originOf({ ideation_id, refinement_id }) {
      const refinement = refinementById.get(refinement_id)
      const derived = refinement !== undefined && (ideation_id === null || refinement.ideation_id === ideation_id)
      if (derived) return { type: 'refinement', id: refinement.id }
      return ideation_id === null ? null : { type: 'ideation', id: ideation_id }
    },
    sprintOf(card) {
      const sprint = sprintById.get(card.sprint_id)
      return sprint?.spec_id === card.spec_id ? sprint : null
    },
  }
}

/**
 * The rows without archived records and without everything below them.
 * @param rootId the root, which stays even when archived; null for a board, which is not a record of the graph
 */
export function withoutArchived(rows: LineageRows, rootId: string | null): LineageRows {
  const { originOf, sprintOf } = descentOf(rows)
  const remaining = new Set<string>()
  const keep = ({ id, archived }: { readonly id: string; readonly archived: number }, parent: string | null) => {
    const stays = (archived === 0 || id === rootId) && (parent === null || remaining.has(parent))
    if (stays) remaining.add(id)
    return stays
  }
  return {
    ...rows,
    ideations: rows.ideations.filter(row => keep(row, null)),
    refinements: rows.refinements.filter(row => keep(row, row.ideation_id)),
    specs: rows.specs.filter(row => keep(row, originOf(row)?.id ?? null)),
    sprints: rows.sprints.filter(row => keep(row, row.spec_id)),
    cards: rows.cards.filter(row => keep(row, sprintOf(row)?.id ?? row.spec_id)),
  }
}
