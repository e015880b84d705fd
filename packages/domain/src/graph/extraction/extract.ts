import { atOnce, type InPieces } from '@specboard/contract'
import { extractCard } from './card.ts'
import type { DraftNode, Extraction } from './draft.ts'
import { extractIdeation, extractRefinement, extractSprint } from './planning.ts'
import { artifactRef } from './refs.ts'
import type { ArtifactSource } from './sources.ts'
import { extractSpec } from './spec.ts'

/** What a record yields, read in pieces: a pure function of the stored record (knowledge-graph 3). */
export function* extracting(source: ArtifactSource): InPieces<Extraction> {
  switch (source.type) {
    case 'ideation':
      return extractIdeation(source)
    case 'refinement':
      return extractRefinement(source)
    case 'spec':
      return yield* extractSpec(source)
    case 'sprint':
      return extractSprint(source)
    case 'card':
      return extractCard(source)
  }
}

/** What a record yields, read at once. */
export const extract = (source: ArtifactSource): Extraction => atOnce(extracting(source))

/** The root node that a record yields; its parts are not read for it. */
export function rootOf(source: ArtifactSource): DraftNode {
  const alone = source.type === 'spec' ? { ...source, ...noParts } : source
  return extract(alone).nodes.find(({ ref }) => ref === artifactRef(source.type, source.id))!
}

/** Placeholders for the lists of a spec whose items yield nodes of their own. */
const noParts = {
  functional_requirements: [],
  technical_requirements: [],
  acceptance_criteria: [],
  test_scenarios: [],
  business_rules: [],
  api_contracts: [],
  decisions: [],
  answers: [],
  designs: [],
} as const
