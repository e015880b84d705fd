import { useRef } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Gone } from '../../components/fault.tsx'
import { Failure } from '../../components/refusal.tsx'
import { titleOf, useTitle } from '../../components/title.ts'
import type { BoardListItem } from '../../data/boards.ts'
import { useCard } from '../../data/cards.ts'
import { faultOf } from '../../data/fault.ts'
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
  const previous = useRef(data)
  // While a neighbour is read, the previous card stays.
  if (data !== undefined) previous.current = data
  const isGone = faultOf(error) === 'gone'
  const current = isGone ? undefined : (data ?? (error === null ? previous.current : undefined))
  useTitle(titleOf(data?.card))
  return (
    <Dialog
      title={cardRef}
      kind="drawer"
      onClose={onClose}
      lead={current !== undefined && <CardCrumbs board={board} card={current.card} />}
      actions={current !== undefined && <CardActions board={board} card={current.card} among={among} />}
    >
      {isGone ? <Gone /> : <Failure error={error} />}
      {current === undefined && error === null && <CardSkeleton label={messages.shell.loading} />}
      {current !== undefined && (
        <CardView key={current.card.id} board={board} card={current.card} tag={current.tag} heading="h3" />
      )}
    </Dialog>
  )
}
