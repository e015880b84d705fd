import type { Spec } from './planning.ts'

/** The items of a spec that cards are linked to. */
export type LinkedType = 'business_rule' | 'api_contract' | 'decision' | 'technical_requirement' | 'scenario'

type Card = Spec['cards'][number]

/**
 * Whether a card counts towards a kind of item, by the same rule on every page as in its gate (specs 6.1): only test
 * cards count towards scenarios.
 */
export const countsTowards = ({ archived, status, card_type }: Card, type: LinkedType): boolean =>
  !archived && status !== 'cancelled' && (type !== 'scenario' || card_type === 'test')
