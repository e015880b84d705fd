import { client } from './client.ts'
import { keys } from './keys.ts'
import type { Spec } from './planning.ts'

/** The query of how far each spec of a board is covered. */
export const coverageOf = (boardId: string) => ({
  queryKey: keys.list(boardId, 'analytics', { of: 'coverage' }),
  queryFn: async () => (await client.getCoverageAnalytics({ board_id: boardId, limit: 200 })).items,
  retry: false,
})

/** The items of a spec that cards are linked to. */
export type LinkedType = 'business_rule' | 'api_contract' | 'decision' | 'technical_requirement' | 'scenario'

type Card = Spec['cards'][number]

/**
 * Whether a card counts for a kind of item, on every page as for its gate (specs 6.1): only test cards count for
 * scenarios.
 */
export const counts = ({ archived, status, card_type }: Card, type: LinkedType): boolean =>
  !archived && status !== 'cancelled' && (type !== 'scenario' || card_type === 'test')
