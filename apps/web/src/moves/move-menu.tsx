import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Menu, MenuItem } from '../components/menu.tsx'
import { StatusSign } from '../components/status.tsx'
import { cardMoves, isRefused, noteOf } from '../data/moves.ts'
import { messages } from '../messages/messages.ts'
import { type MovedCard, useMoveCard } from './move-context.ts'

interface MoveMenuProps {
  readonly card: MovedCard
  readonly anchor: HTMLElement
  readonly onClose: () => void
}

/** The "Move to…" menu: every other status, and why the card may not go there. */
export function MoveMenu({ card, anchor, onClose }: MoveMenuProps) {
  const { data, isFetching } = useQuery(cardMoves(card.id))
  const move = useMoveCard()
  const [isRead, setRead] = useState(false)
  // Data read before it opened may be old; data read again while it is open updates its entries in place.
  if (!isRead && data !== undefined && !isFetching) setRead(true)
  const moves = isRead ? data?.moves : undefined
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
          allowed={allowed}
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
