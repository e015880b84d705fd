import { memo } from 'react'
import { addressOfCard } from '../../address.ts'
import { basePath } from '../../base-path.ts'
import { Icon } from '../../components/icon.tsx'
import { Avatar } from '../../components/person.tsx'
import { PrioritySign } from '../../components/status.tsx'
import type { CardSummary } from '../../data/cards.ts'
import { useChanged } from '../../data/changed.ts'
import { messages } from '../../messages/messages.ts'
import { useBoardView } from './board-context.ts'
import { TileFacts, TileLive, TileSigns, TileWhy } from './tile-facts.tsx'

interface CardTileProps {
  readonly card: CardSummary
  readonly index: number
  readonly isSelected: boolean
  readonly isDragged: boolean
  /** Whether Tab moves the focus to it: true for one card of each column; arrow keys move to the others. */
  readonly isEntry: boolean
  readonly onFocus: (id: string) => void
}

const texts = messages.board

/** A card on the board. */
export const CardTile = memo(function CardTile({
  card,
  index,
  isSelected,
  isDragged,
  isEntry,
  onFocus,
}: CardTileProps) {
  const view = useBoardView()
  const isChanged = useChanged(card.id)
  const tabIndex = isEntry ? 0 : -1
  const classes = ['tile', isSelected && 'selected', isDragged && 'dragged', isChanged && 'changed']
  return (
    <article
      className={classes.filter(Boolean).join(' ')}
      data-card={card.id}
      data-ref={card.ref}
      draggable={true}
      data-index={index}
      onFocus={() => onFocus(card.id)}
    >
      <div className="tile-head">
        <span className="tile-lead">
          <PrioritySign priority={card.priority} />
          <input
            type="checkbox"
            className="tile-select"
            tabIndex={tabIndex}
            aria-label={texts.select(card.ref)}
            checked={isSelected}
            onChange={() => view.toggleSelected(card)}
          />
        </span>
        <span className="ref">{card.ref}</span>
        {card.card_type !== 'normal' && (
          <span className={card.card_type === 'bug' ? 'sign bad' : 'sign'} title={texts.types[card.card_type]}>
            <Icon name={card.card_type === 'bug' ? 'bug' : 'test'} size={14} />
            <span className="hidden">{texts.types[card.card_type]}</span>
          </span>
        )}
        <button
          type="button"
          className="button quiet icon tile-menu"
          tabIndex={tabIndex}
          aria-haspopup="menu"
          aria-label={`${texts.moveTo} ${card.ref}`}
          title={texts.moveTo}
          onClick={event => view.openMenu(card, event.currentTarget)}
        >
          <Icon name="more" />
        </button>
        {!view.isCompact && <TileSigns card={card} />}
      </div>
      {/* A plain link instead of the router's, which would listen to the address for each tile. A click opens the card over the board (board-mouse.ts). */}
      <a
        className="tile-title"
        href={basePath + addressOfCard(view.board.key, card.ref)}
        tabIndex={tabIndex}
        draggable={false}
        dir="auto"
      >
        {card.title}
      </a>
      {!view.isCompact && <TileWhy card={card} />}
      <div className="tile-foot">
        {!view.isCompact && <TileFacts card={card} />}
        <Holder card={card} />
      </div>
      {!view.isCompact && <TileLive card={card} />}
    </article>
  )
})

/** The agent or person that works on a card or is assigned to it; always at the card's right. */
function Holder({ card: { claim, assignee_id } }: { readonly card: CardSummary }) {
  const { names } = useBoardView()
  if (claim !== null) return <Avatar name={claim.agent_name} isLive />
  if (assignee_id !== null) return <Avatar name={names.get(assignee_id) ?? assignee_id} />
  return <span className="avatar nobody" role="img" aria-label={texts.unassigned} title={texts.unassigned} />
}
