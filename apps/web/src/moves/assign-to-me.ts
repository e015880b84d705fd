import { useMutation } from '@tanstack/react-query'
import type { CardSummary } from '../data/cards.ts'
import { client } from '../data/client.ts'
import { useMe } from '../data/session.ts'
import { useBulk } from './bulk-context.ts'

/**
 * Assigns cards of a board to the signed-in person, with Undo; for cards that may not be changed, the reason is shown.
 */
export function useAssignToMe(boardId: string): (cards: readonly CardSummary[]) => void {
  const { agent_id: me } = useMe()
  const bulk = useBulk()
  const assign = (card_id: string, assignee_id: string | null) => client.updateCard({ card_id, assignee_id })
  const assigning = useMutation({
    mutationFn: (cards: readonly CardSummary[]) =>
      bulk.change(
        cards.map(card => ({ ...card, board_id: boardId })),
        { change: ({ id }) => assign(id, me), undo: ({ id, assignee_id }) => assign(id, assignee_id) },
      ),
  })
  return assigning.mutate
}
