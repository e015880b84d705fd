import type { Spec } from './planning.ts'

/** The items of a spec that cards are linked to. */
export type LinkedType = 'business_rule' | 'api_contract' | 'decision' | 'technical_requirement' | 'scenario'

type Card = Spec['cards'][number]

/**
 * Whether a card counts for a kind of item, on every page as for its gate (specs 6.1): only test cards count for
 * scenarios.
 */
export const counts = ({ archived, status, card_type }: Card, type: LinkedType): boolean =>
  !archived && status !== 'cancelled' && (type !== 'scenario' || card_type === 'test')
