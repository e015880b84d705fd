import { NotRead } from '../../components/fault.tsx'
import { SectionHeading } from '../../components/section.tsx'
import { titleOf, useTitle } from '../../components/title.ts'
import { useCard } from '../../data/cards.ts'
import { faultOf } from '../../data/fault.ts'
import { MoveProvider } from '../../moves/move-card.tsx'
import type { BoardPageProps } from '../../page-props.ts'
import { CardActions } from './card-actions.tsx'
import { CardView } from './card-view.tsx'

/** A card as a page of its own. */
export default function CardPage({ board, params }: BoardPageProps) {
  const { data, error } = useCard(params.ref ?? '')
  useTitle(titleOf(data?.card))
  if (data === undefined || faultOf(error) === 'gone') return <NotRead error={error} />
  return (
    <MoveProvider>
      <div className="page-head">
        <span className="ref">{data.card.ref}</span>
        <span className="grow" />
        <CardActions board={board} card={data.card} isPage />
      </div>
      <SectionHeading value="h2">
        <div className="page card-page">
          <CardView board={board} card={data.card} tag={data.tag} heading="h1" />
        </div>
      </SectionHeading>
    </MoveProvider>
  )
}
