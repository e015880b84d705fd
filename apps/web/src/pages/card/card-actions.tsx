import { useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { addressOfBoard, addressOfCard, addressOfSpec } from '../../address.ts'
import { CopyLink } from '../../components/copy-link.tsx'
import { Crumbs } from '../../components/crumbs.tsx'
import { Icon } from '../../components/icon.tsx'
import { type BoardListItem, useSpecs } from '../../data/boards.ts'
import { type Card, useCards } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

interface CardActionsProps {
  readonly board: BoardListItem
  readonly card: Card
  /** The references of the cards among which it is shown; by default those of its column. */
  readonly among?: readonly string[] | undefined
}

/** The breadcrumbs of a card: its board, its spec, its reference. */
export function CardCrumbs({ board, card }: CardActionsProps) {
  const { data: specs } = useSpecs(board.id)
  const spec = specs?.find(({ id }) => id === card.spec_id)
  return (
    <Crumbs
      steps={[
        { label: board.name, address: addressOfBoard(board.key) },
        ...(spec === undefined ? [] : [{ label: spec.title, address: addressOfSpec(board.key, spec.ref) }]),
        { label: card.ref },
      ]}
    />
  )
}

/** The cards before and after one in its column, or among the given ones. */
function useNeighbours(board: BoardListItem, card: Card | undefined, among?: readonly string[]) {
  const { data: cards } = useCards(board.id)
  const refs = among ?? (cards ?? []).filter(({ status }) => status === card?.status).map(({ ref }) => ref)
  const at = card === undefined ? -1 : refs.indexOf(card.ref)
  return at === -1 ? {} : { previous: refs[at - 1], next: refs[at + 1] }
}

/** The actions of a card in a drawer: its neighbours, its link, its page. */
export function CardActions({ board, card, among }: CardActionsProps) {
  const [location, navigate] = useLocation()
  const search = useSearch()
  const { previous, next } = useNeighbours(board, card, among)
  const root = useRef<HTMLDivElement>(null)
  const address = addressOfCard(board.key, card.ref)
  const go = (ref: string | undefined) => {
    if (ref === undefined) return
    const query = new URLSearchParams(search)
    query.set('card', ref)
    navigate(`${location}?${query}`, { replace: true })
  }
  const step = (ref: string | undefined, label: string, key: string, icon: 'up' | 'down') => (
    <button
      type="button"
      className="button quiet icon"
      data-key={key}
      aria-label={label}
      title={`${label} (${key})`}
      aria-disabled={ref === undefined}
      onClick={() => go(ref)}
    >
      <Icon name={icon} />
    </button>
  )
  return (
    <div className="row card-actions" ref={root}>
      {step(previous, texts.previous, '[', 'up')}
      {step(next, texts.next, ']', 'down')}
      <span className="bar-line" />
      <CopyLink reference={card.ref} address={address} />
      <Link className="button quiet icon" href={address} aria-label={texts.openAsPage} title={texts.openAsPage}>
        <Icon name="expand" />
      </Link>
    </div>
  )
}
