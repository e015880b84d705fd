import { useQueryClient } from '@tanstack/react-query'
import { Designs } from '../../content/designs.tsx'
import { Knowledge } from '../../content/knowledge.tsx'
import type { KnowledgeCalls } from '../../content/knowledge-calls.ts'
import { Mockups } from '../../content/mockups.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { type Card, readCard, refreshCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { changing, writingIn } from '../../data/needs.ts'
import { readWithTag } from '../../data/tagged.ts'

interface CardContentProps {
  readonly board: BoardListItem
  readonly card: Card
}

/** The knowledge, screens and designs of a card. */
export function CardContent({ board, card }: CardContentProps) {
  const queries = useQueryClient()
  const named = { card_id: card.id }
  const writing = writingIn('card', card.status)
  const calls: KnowledgeCalls = {
    key: keys.part('card', card.id, 'knowledge'),
    read: kb_id => client.getCardKnowledge({ ...named, kb_id }),
    async add(written) {
      await client.createCardKnowledge({ ...named, ...written })
      await refreshCard(queries, card)
    },
    async remove(kb_id) {
      await client.deleteCardKnowledge({ ...named, kb_id })
      await refreshCard(queries, card)
    },
    change: {
      read: kb_id => readWithTag(options => client.getCardKnowledge({ ...named, kb_id }, options)),
      async write(kb_id, written, ifMatch) {
        await client.updateCardKnowledge({ ...named, kb_id, ...written }, { ifMatch })
        await refreshCard(queries, card)
      },
    },
    needs: {
      add: ['KNOWLEDGE_CREATE_CARDS', writing],
      change: ['KNOWLEDGE_UPDATE', writing],
      remove: ['KNOWLEDGE_DELETE_CARDS', writing],
    },
  }
  return (
    <>
      <Knowledge items={card.knowledge_bases} calls={calls} />
      <Mockups
        screens={card.screen_mockups}
        calls={{
          of: card.id,
          async read() {
            const { card: now, tag } = await readCard(card.id)
            return { mockups: now.screen_mockups, tag }
          },
          async write(mockups, ifMatch) {
            await client.updateCard({ ...named, screen_mockups: [...mockups] }, { ifMatch })
            await refreshCard(queries, card)
          },
          needs: changing('card', card.status, 'screen_mockups'),
        }}
      />
      <Designs
        boardKey={board.key}
        designs={card.architecture_designs}
        calls={{
          of: card.id,
          add: design => client.createCardArchitecture({ ...named, ...design }),
          needs: ['ARCHITECTURE_CREATE', writing],
        }}
      />
    </>
  )
}
