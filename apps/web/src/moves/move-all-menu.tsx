import { Menu, MenuItem } from '../components/menu.tsx'
import { StatusSign } from '../components/status.tsx'
import { type CardStatus, cardStatuses } from '../data/cards.ts'
import { messages } from '../messages/messages.ts'

interface MoveAllMenuProps {
  readonly count: number
  readonly anchor: HTMLElement
  readonly onMove: (to: CardStatus) => void
  readonly onClose: () => void
}

/** The "Move to…" menu of several cards: every status; the result says which of them may not go there, and why. */
export const MoveAllMenu = ({ count, anchor, onMove, onClose }: MoveAllMenuProps) => (
  <Menu label={messages.board.bulk.moveTo(count)} anchor={anchor} onClose={onClose}>
    {cardStatuses.map(status => (
      <MenuItem
        key={status}
        onSelect={() => {
          onClose()
          onMove(status)
        }}
      >
        <StatusSign status={status} />
        {messages.board.statuses[status]}
      </MenuItem>
    ))}
  </Menu>
)
