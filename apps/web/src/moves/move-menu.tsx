import { useQuery } from '@tanstack/react-query'
import { Menu, MenuItem } from '../components/menu.tsx'
import { StatusSign } from '../components/status.tsx'
import { type CardMove, cardMoves, isRefused, refusalOfMove } from '../data/moves.ts'
import { messages } from '../messages/messages.ts'
import { type MovedCard, useMoveCard } from './move-context.ts'

interface MoveMenuProps {
  readonly card: MovedCard
  readonly anchor: HTMLElement
  readonly onClose: () => void
}

/** "Move to…": every other status, and why the card may not go there. */
export function MoveMenu({ card, anchor, onClose }: MoveMenuProps) {
  const { data, isFetching } = useQuery(cardMoves(card.id))
  const move = useMoveCard()
  // What was read before may be old: an entry that goes would take the focus with it.
  const moves = isFetching ? undefined : data?.moves
  return (
    <Menu
      label={messages.board.moveTo}
      anchor={anchor}
      onClose={onClose}
      key={moves === undefined ? 'reading' : 'read'}
    >
      {moves === undefined && <MenuItem onSelect={onClose}>{messages.board.moving}</MenuItem>}
      {moves?.map(allowed => (
        <MenuItem
          key={allowed.to}
          note={noteOf(allowed)}
          isDimmed={isRefused(allowed)}
          onSelect={() => {
            onClose()
            void move(card, allowed.to)
          }}
        >
          <StatusSign status={allowed.to} />
          {messages.board.statuses[allowed.to]}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Why a move is not open, in a few words. */
export function noteOf(allowed: CardMove): string | undefined {
  if (allowed.state === 'open') return undefined
  if (allowed.state === 'asks') return messages.board.asksFor
  return refusalOfMove(allowed).message
}
