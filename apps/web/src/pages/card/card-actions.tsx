import { useState } from 'react'
import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { CopyLink } from '../../components/copy-link.tsx'
import { Icon } from '../../components/icon.tsx'
import { Status } from '../../components/status.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { Card } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { MoveMenu } from '../../moves/move-menu.tsx'

interface CardActionsProps {
  readonly board: BoardListItem
  readonly card: Card
  readonly isPage?: boolean
}

/** What stands above a card: its status, which moves it, and ways to it. */
export function CardActions({ board, card, isPage = false }: CardActionsProps) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const address = addressOfCard(board.key, card.ref)
  return (
    <>
      <button
        type="button"
        className="button"
        aria-haspopup="menu"
        aria-label={`${messages.board.statuses[card.status]}, ${messages.board.moveTo}`}
        title={messages.board.moveTo}
        onClick={event => setAnchor(event.currentTarget)}
      >
        <Status status={card.status} />
      </button>
      <CopyLink reference={card.ref} address={address} />
      {!isPage && (
        <Link
          className="button quiet icon"
          href={address}
          aria-label={messages.card.openAsPage}
          title={messages.card.openAsPage}
        >
          <Icon name="expand" />
        </Link>
      )}
      {anchor !== undefined && <MoveMenu card={card} anchor={anchor} onClose={() => setAnchor(undefined)} />}
    </>
  )
}
