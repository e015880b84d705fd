import { lines, paragraphs, titleOf } from '../text/titles.ts'
import { extractDesigns } from './designs.ts'
import { Draft, type Extraction, type NodeKey } from './draft.ts'
import { mention } from './mentions.ts'
import { artifactRef, keysOf, partRef, textOf } from './refs.ts'
import { entity, reasonOf } from './root-nodes.ts'
import type { IdeationSource, RefinementSource, SprintSource } from './sources.ts'

/** What an ideation yields (knowledge-graph 3.1). */
export function extractIdeation(ideation: IdeationSource): Extraction {
  const { id, title, description, problem_statement, proposed_approach, status, complexity } = ideation
  const draft = new Draft(reasonOf(ideation))
  const root = draft.node(entity(artifactRef('ideation', id)), {
    title,
    content: paragraphs(description, problem_statement, proposed_approach) || title,
    context: lines(`Status: ${status}`, complexity === null ? null : `Complexity: ${complexity}`),
  })
  extractDesigns(draft, root, ideation.designs)
  return draft
}

/** What a refinement yields (knowledge-graph 3.2). */
export function extractRefinement(refinement: RefinementSource): Extraction {
  const { id, ideation_id, title, description, analysis, status, decisions } = refinement
  const draft = new Draft(reasonOf(refinement))
  const ref = artifactRef('refinement', id)
  const root = draft.node(entity(ref), {
    title,
    content: paragraphs(description, analysis) || title,
    context: `Status: ${status}`,
  })
  draft.edge('belongs_to', root, entity(artifactRef('ideation', ideation_id)), 'refinement_to_ideation')
  const keys = keysOf(decisions)
  for (const [position, item] of decisions.entries()) {
    const text = textOf(item)
    const key: NodeKey = { node_type: 'Decision', ref: partRef(ref, 'decision', keys[position]!) }
    draft.node(key, { title: titleOf(text), content: text })
    draft.edge('belongs_to', key, root, 'rdec')
    mention(draft, key, titleOf(text), text)
  }
  extractDesigns(draft, root, refinement.designs)
  return draft
}

/** What a sprint yields (knowledge-graph 3.4). */
export function extractSprint(sprint: SprintSource): Extraction {
  const { id, spec_id, title, description, objective, expected_outcome } = sprint
  const draft = new Draft(reasonOf(sprint))
  const ref = artifactRef('sprint', id)
  const root = draft.node(entity(ref), { title, content: description ?? '', context: objective ?? '' })
  draft.edge('belongs_to', root, entity(artifactRef('spec', spec_id)), 'sprint_to_spec')
  if (expected_outcome !== null && expected_outcome.trim() !== '') {
    const outcome: NodeKey = { node_type: 'Criterion', ref: `${ref}:outcome` }
    draft.node(outcome, { title: `Expected Outcome: ${title}`, content: expected_outcome })
    draft.edge('belongs_to', outcome, root, 'sprint_outcome')
  }
  return draft
}
