import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/refusal.tsx'
import { titleOf, useTitle } from '../../components/title.ts'
import type { BoardListItem } from '../../data/boards.ts'
import { useCard } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { CardActions } from './card-actions.tsx'
import { CardView } from './card-view.tsx'

interface CardDrawerProps {
  readonly board: BoardListItem
  readonly cardRef: string
  readonly onClose: () => void
}

/** A card over the board; the board behind it stays where it was. */
export default function CardDrawer({ board, cardRef, onClose }: CardDrawerProps) {
  const { data, error } = useCard(cardRef)
  useTitle(titleOf(data?.card))
  return (
    <Dialog
      title={cardRef}
      kind="drawer"
      onClose={onClose}
      actions={data !== undefined && <CardActions board={board} card={data.card} />}
    >
      <Failure error={error} />
      {data === undefined && error === null && <p className="notice">{messages.shell.loading}</p>}
      {data !== undefined && <CardView board={board} card={data.card} tag={data.tag} heading="h3" />}
    </Dialog>
  )
}
