import { addressOfCard } from '../../address.ts'
import { CopyLink } from '../../components/copy-link.tsx'
import { NotRead } from '../../components/fault.tsx'
import { SectionHeading } from '../../components/section.tsx'
import { titleOf, useTitle } from '../../components/title.ts'
import { useCard } from '../../data/cards.ts'
import { faultOf } from '../../data/fault.ts'
import { messages } from '../../messages/messages.ts'
import { MoveProvider } from '../../moves/move-card.tsx'
import type { BoardPageProps } from '../../page-props.ts'
import { CardCrumbs } from './card-actions.tsx'
import { CardSkeleton } from './card-skeleton.tsx'
import { CardView } from './card-view.tsx'
import './card.css'

/** A card on a page of its own. */
export default function CardPage({ board, params }: BoardPageProps) {
  const { data, error } = useCard(params.ref ?? '')
  useTitle(titleOf(data?.card))
  if (data === undefined && error === null)
    return (
      <div className="card-page">
        <div className="bar" />
        <CardSkeleton label={messages.shell.loading} />
      </div>
    )
  if (data === undefined || faultOf(error) === 'gone') return <NotRead error={error} />
  const { card, tag } = data
  return (
    <MoveProvider>
      <div className="card-page">
        <div className="bar card-bar">
          <CardCrumbs board={board} card={card} />
          <span className="grow" />
          <CopyLink reference={card.ref} address={addressOfCard(board.key, card.ref)} />
        </div>
        <SectionHeading value="h2">
          <CardView board={board} card={card} tag={tag} heading="h1" />
        </SectionHeading>
      </div>
    </MoveProvider>
  )
}
