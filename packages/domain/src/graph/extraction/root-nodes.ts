import type { RevocationReason } from '@specboard/contract'
import type { NodeKey } from './draft.ts'
import type { CardLink } from './sources.ts'

/** The root node of a planning record or sprint. */
export const entity = (ref: string): NodeKey => ({ node_type: 'Entity', ref })

/** The root node of a card: a Bug or an Entity. */
export const cardNode = ({ id, card_type }: CardLink): NodeKey => ({
  node_type: card_type === 'bug' ? 'Bug' : 'Entity',
  ref: `card:${id}`,
})

/** Why a record's nodes are out of force: it is archived, else cancelled; null if neither (knowledge-graph 3.8). */
export function reasonOf({ archived, status }: { archived: boolean; status: string }): RevocationReason | null {
  if (archived) return 'source_archived'
  return status === 'cancelled' ? 'source_cancelled' : null
}
