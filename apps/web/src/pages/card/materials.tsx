import { useQueryClient } from '@tanstack/react-query'
import type { BoardListItem } from '../../data/boards.ts'
import { type Card, refreshCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { Designs } from '../../materials/designs.tsx'
import { Knowledge } from '../../materials/knowledge.tsx'
import type { KnowledgeCalls } from '../../materials/knowledge-calls.ts'
import { Mockups } from '../../materials/mockups.tsx'

interface MaterialsProps {
  readonly board: BoardListItem
  readonly card: Card
}

/** What a card is worked on with: knowledge, screens and designs. */
export function Materials({ board, card }: MaterialsProps) {
  const queries = useQueryClient()
  const calls: KnowledgeCalls = {
    key: keys.part('card', card.id, 'knowledge'),
    read: kb_id => client.getCardKnowledge({ card_id: card.id, kb_id }),
    async add(written) {
      await client.createCardKnowledge({ card_id: card.id, ...written })
      await refreshCard(queries, card)
    },
    async remove(kb_id) {
      await client.deleteCardKnowledge({ card_id: card.id, kb_id })
      await refreshCard(queries, card)
    },
  }
  return (
    <>
      <Knowledge items={card.knowledge_bases} calls={calls} />
      <Mockups screens={card.screen_mockups} />
      <Designs boardKey={board.key} designs={card.architecture_designs} />
    </>
  )
}
