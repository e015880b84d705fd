import { extractCard } from './card.ts'
import type { DraftNode, Extraction } from './draft.ts'
import { extractIdeation, extractRefinement, extractSprint } from './planning.ts'
import { artifactRef } from './refs.ts'
import type { ArtifactSource } from './sources.ts'
import { extractSpec } from './spec.ts'

/** What a record yields: a pure function of the stored record (knowledge-graph 3). */
export function extract(source: ArtifactSource): Extraction {
  switch (source.type) {
    case 'ideation':
      return extractIdeation(source)
    case 'refinement':
      return extractRefinement(source)
    case 'spec':
      return extractSpec(source)
    case 'sprint':
      return extractSprint(source)
    case 'card':
      return extractCard(source)
  }
}

/** The root node that a record yields. */
export const rootOf = (source: ArtifactSource): DraftNode =>
  extract(source).nodes.find(({ ref }) => ref === artifactRef(source.type, source.id))!
