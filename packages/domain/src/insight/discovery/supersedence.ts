import { byCodePoint } from '../../lib/text-order.ts'
import type { Db } from '../../schema/database.ts'
import { leadingTo, type QuestionResult } from './result.ts'
import { readSpecs, specEntity } from './specs.ts'

/** The fields of a decision that form chains. */
export interface LinkedDecision {
  readonly id: string
  readonly title: string
  readonly status?: string
  readonly supersedes_decision_id: string | null
}

/**
 * The chains of supersedence within one spec, newest decision first: one for each decision that supersedes another and
 * is not superseded itself, and one for each pure cycle, from its smallest id. A repeated id ends a chain.
 */
export function chainsOf<Decision extends LinkedDecision>(decisions: readonly Decision[]): Decision[][] {
  const byId = new Map<string | null, Decision>(decisions.map(decision => [decision.id, decision]))
  const superseded = new Set(decisions.map(decision => decision.supersedes_decision_id))
  const inChains = new Set<Decision>()
  const chainFrom = (head: Decision): Decision[] => {
    const chain = new Set<Decision>()
    for (
      let at: Decision | undefined = head;
      at !== undefined && !chain.has(at);
      at = byId.get(at.supersedes_decision_id)
    )
      chain.add(at)
    for (const decision of chain) inChains.add(decision)
    return [...chain]
  }
  const fromHeads = decisions.filter(decision => !superseded.has(decision.id)).map(chainFrom)
  // Decisions that no head leads to form cycles.
  const fromCycles = decisions
    .toSorted((a, b) => byCodePoint(a.id, b.id))
    .flatMap(decision => (inChains.has(decision) ? [] : [chainFrom(decision)]))
  return [...fromHeads, ...fromCycles].filter(chain => chain.length > 1)
}

/** The chains of superseded decisions of a board's specs. */
export async function supersededDecisions(db: Db, boardId: string): Promise<QuestionResult> {
  const specs = await readSpecs(db, boardId)
  const rows = specs.flatMap(spec =>
    chainsOf(spec.decisions).map(decisions => {
      const [head] = decisions
      const chain = decisions.map(({ id, title, status = 'active' }) => ({
        id,
        title,
        status,
        spec_id: spec.id,
        spec_title: spec.title,
      }))
      return {
        id: head!.id,
        type: 'SupersedenceChain',
        title: head!.title,
        summary: chain.map(decision => decision.title).join(' supersedes '),
        meta: { ...leadingTo(specEntity(spec)), head_decision_id: head!.id, length: chain.length, chain },
      }
    }),
  )
  return { rows }
}
