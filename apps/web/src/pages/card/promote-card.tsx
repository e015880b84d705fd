import { useState } from 'react'
import { useLocation } from 'wouter'
import { addressOfSpec } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Icon } from '../../components/icon.tsx'
import { type BoardListItem, useSpecs } from '../../data/boards.ts'
import type { Card } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { promoting } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card.promote

interface PromoteCardProps {
  readonly board: BoardListItem
  readonly card: Card
}

/**
 * Promotes a small change that has grown to a spec, then leads to the spec (crew 6.5). Other cards already have a spec.
 */
export function PromoteCard({ board, card }: PromoteCardProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [, navigate] = useLocation()
  const { data: specs } = useSpecs(board.id)
  const isSmall = specs?.some(({ id, standing }) => standing && id === card.spec_id) ?? false
  if (!isSmall || card.status === 'done' || card.status === 'cancelled') return null
  return (
    <div className="row">
      <Button needs={promoting} className="button quiet" onClick={() => setIsAsking(true)}>
        <Icon name="file" size={14} /> {texts.action}
      </Button>
      {isAsking && (
        <Confirm
          title={texts.title(card.ref)}
          lead={texts.lead}
          action={texts.action}
          onConfirm={async () => {
            const { spec } = await client.promoteCard({ card_id: card.id })
            navigate(addressOfSpec(board.key, spec.ref))
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  )
}
