import { useQueryClient } from '@tanstack/react-query'
import { addressOfAttachment } from '../../address.ts'
import { isPicture } from '../../components/attachment-picture.tsx'
import type { Attach } from '../../components/writing/attached-files.ts'
import { type Card, refreshCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import type { Needs } from '../../data/needs.ts'
import { useClosure } from '../../data/rights.ts'

const attaching: Needs = ['ATTACHMENTS_CREATE']

/** Attaches files that are inserted into a card's texts; undefined for people who may not. */
export function useAttaching(card: Card): Attach | undefined {
  const queries = useQueryClient()
  const isClosed = useClosure(attaching) !== undefined
  if (isClosed) return undefined
  return async file => {
    const on = { board_id: card.board_id, card_id: card.id }
    const { id, mime_type } = await client.uploadAttachment({ ...on, file })
    await refreshCard(queries, card)
    return { address: addressOfAttachment({ ...on, attachment_id: id }), isPicture: isPicture(mime_type) }
  }
}
