import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { addressOfBoard } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Icon } from '../../components/icon.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { Card } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { deleting } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

interface DeleteCardProps {
  readonly board: BoardListItem
  readonly card: Card
}

/** Asks before a card is deleted, which cannot be undone; then leads back to the board. */
export function DeleteCard({ board, card }: DeleteCardProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  query.delete('card')
  return (
    <div className="row">
      <Button needs={deleting('card', card.status)} className="button quiet" onClick={() => setIsAsking(true)}>
        <Icon name="trash" size={14} /> {texts.delete}
      </Button>
      {isAsking && (
        <Confirm
          title={texts.deleteTitle(card.ref)}
          lead={texts.deleteLead}
          action={texts.delete}
          onConfirm={async () => {
            await client.deleteCard({ card_id: card.id })
            navigate([addressOfBoard(board.key), query].filter(part => `${part}` !== '').join('?'))
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  )
}
