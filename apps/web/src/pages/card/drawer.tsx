import { useRef } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/refusal.tsx'
import { titleOf, useTitle } from '../../components/title.ts'
import type { BoardListItem } from '../../data/boards.ts'
import { useCard } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { CardActions, CardCrumbs } from './card-actions.tsx'
import { CardSkeleton } from './card-skeleton.tsx'
import { CardView } from './card-view.tsx'

interface CardDrawerProps {
  readonly board: BoardListItem
  readonly cardRef: string
  readonly onClose: () => void
  /** The references of the cards among which it is shown, in order; by default those of its column. */
  readonly among?: readonly string[]
}

/** A card over the board; the board behind it stays as it was. */
export default function CardDrawer({ board, cardRef, onClose, among }: CardDrawerProps) {
  const { data, error } = useCard(cardRef)
  const shown = useRef(data)
  // While a neighbour is read, the previous card stays.
  if (data !== undefined) shown.current = data
  const read = data ?? (error === null ? shown.current : undefined)
  useTitle(titleOf(data?.card))
  return (
    <Dialog
      title={cardRef}
      kind="drawer"
      onClose={onClose}
      lead={read !== undefined && <CardCrumbs board={board} card={read.card} />}
      actions={read !== undefined && <CardActions board={board} card={read.card} among={among} />}
    >
      <Failure error={error} />
      {read === undefined && error === null && <CardSkeleton label={messages.shell.loading} />}
      {read !== undefined && <CardView key={read.card.id} board={board} card={read.card} tag={read.tag} heading="h3" />}
    </Dialog>
  )
}
