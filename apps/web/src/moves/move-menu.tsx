import { useQuery } from '@tanstack/react-query'
import { StatusSign } from '../components/status.tsx'
import { cardMoves } from '../data/moves.ts'
import { messages } from '../messages/messages.ts'
import { type MovedCard, useMoveCard } from './move-context.ts'
import { MovesMenu } from './moves-menu.tsx'

interface MoveMenuProps {
  readonly card: MovedCard
  readonly anchor: HTMLElement
  readonly onClose: () => void
}

/** The "Move to…" menu of a card. */
export function MoveMenu({ card, anchor, onClose }: MoveMenuProps) {
  const read = useQuery(cardMoves(card.id))
  const move = useMoveCard()
  return (
    <MovesMenu read={read} anchor={anchor} onChoose={({ to }) => void move(card, to)} onClose={onClose}>
      {to => (
        <>
          <StatusSign status={to} />
          {messages.board.statuses[to]}
        </>
      )}
    </MovesMenu>
  )
}
