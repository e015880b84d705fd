import { Link } from 'wouter'
import { addressOfCard } from '../address.ts'
import type { CardStatus } from '../data/cards.ts'
import { StatusSign } from './status.tsx'
import './figures.css'

/** A card that others wait for. */
export interface BlockingCard {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: CardStatus
  /** The number of cards that wait for it. */
  readonly count: number
}

interface BlockingCardsProps {
  /** Ordered by the number of cards that they block, highest first. */
  readonly cards: readonly BlockingCard[]
  readonly boardKey: string
  /** The number of cards that wait for one card, in words. */
  readonly says: (count: number) => string
}

/** Cards that others wait for, each with the number of those others. */
export const BlockingCards = ({ cards, boardKey, says }: BlockingCardsProps) => (
  <ul className="plain lines">
    {cards.map(({ id, ref, title, status, count }) => (
      <li key={id} className="line">
        <StatusSign status={status} />
        <span className="ref">{ref}</span>
        <Link className="truncate grow" href={addressOfCard(boardKey, ref)} dir="auto">
          {title}
        </Link>
        <span className="line-fact">{says(count)}</span>
        <meter className="meter" min={0} max={cards[0]!.count} value={count} aria-label={says(count)} />
      </li>
    ))}
  </ul>
)
