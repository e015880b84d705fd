import { slugOf, technologiesIn } from '../text/technologies.ts'
import type { Draft, NodeKey } from './draft.ts'
import { entity } from './root-nodes.ts'

/** Connects a decision to the technologies that its title and content mention (knowledge-graph 3.3). */
export function mention(draft: Draft, decision: NodeKey, title: string, content: string): void {
  for (const name of technologiesIn(title, content))
    draft.edge('mentions', decision, draft.shared(entity(`tech:${slugOf(name)}`), name), 'tech_list')
}
