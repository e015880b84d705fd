import { type ReactNode, useState } from 'react'
import { Menu, MenuItem } from '../components/menu.tsx'
import { type AllowedMove, isRefused, noteOf } from '../data/moves.ts'
import { messages } from '../messages/messages.ts'

interface MovesMenuProps<Move extends AllowedMove> {
  /** The query that reads the moves. */
  readonly read: { readonly data: { readonly moves: readonly Move[] } | undefined; readonly isFetching: boolean }
  readonly anchor: HTMLElement
  readonly onChoose: (move: Move) => void
  readonly onClose: () => void
  /** Renders a status. */
  readonly children: (to: Move['to']) => ReactNode
}

/** The "Move to…" menu of a record: every other status, and why it may not go there. */
export function MovesMenu<Move extends AllowedMove>({
  read: { data, isFetching },
  anchor,
  onChoose,
  onClose,
  children,
}: MovesMenuProps<Move>) {
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
            onChoose(allowed)
          }}
        >
          {children(allowed.to)}
        </MenuItem>
      ))}
    </Menu>
  )
}
