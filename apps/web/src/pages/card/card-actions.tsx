import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { Icon } from '../../components/icon.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Status } from '../../components/status.tsx'
import { toast } from '../../components/toast.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { type Card, refreshCard, refreshCards } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
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
  const copy = async () => {
    await navigator.clipboard.writeText(`${card.ref} ${location.origin}${address}`)
    toast(messages.shell.copied(card.ref))
  }
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
      <button
        type="button"
        className="button quiet icon"
        aria-label={messages.shell.copyLink}
        title={messages.shell.copyLink}
        onClick={() => void copy()}
      >
        <Icon name="link" />
      </button>
      <ArchiveButton card={card} />
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

/** Archives the card, with a way back; brings back one that is archived. */
function ArchiveButton({ card }: { readonly card: Card }) {
  const queries = useQueryClient()
  const record = { board_id: card.board_id, entity_type: 'card', entity_id: card.id } as const
  const set = async (archived: boolean) => {
    await (archived ? client.archiveRecord(record) : client.restoreRecord(record))
    await Promise.all([refreshCard(queries, card), refreshCards(queries, card.board_id, new Set([card.id]))])
  }
  const changing = useMutation({
    mutationFn: set,
    onSuccess: (_, archived) => {
      if (archived) toast(messages.card.archived(card.ref), () => void set(false))
    },
  })
  const label = card.archived ? messages.card.restore : messages.card.archive
  return (
    <>
      <button
        type="button"
        className="button quiet icon"
        aria-label={label}
        title={label}
        disabled={changing.isPending}
        onClick={() => changing.mutate(!card.archived)}
      >
        <Icon name={card.archived ? 'restore' : 'archive'} />
      </button>
      <Failure error={changing.error} />
    </>
  )
}
