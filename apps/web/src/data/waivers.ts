/** The gates from which a card can be excused (evidence 8, git 6). */
import type { BoardListItem } from './boards.ts'
import type { Card } from './cards.ts'
import type { client } from './client.ts'

export type WaivedGate = Parameters<typeof client.setCardWaiver>[0]['gates'][number]

type Settings = BoardListItem['settings']

/** The gates that a board has switched on for cards of a type: test cards have no changes of their own. */
export const gatesOn = (settings: Settings, { card_type }: Pick<Card, 'card_type'>): readonly WaivedGate[] => [
  ...(settings.min_evidence_tier !== 'claimed' || settings.require_fresh_evidence ? (['proof'] as const) : []),
  ...(card_type !== 'test' && settings.require_merged_change ? (['change'] as const) : []),
  ...(card_type !== 'test' && settings.require_green_checks ? (['checks'] as const) : []),
]
