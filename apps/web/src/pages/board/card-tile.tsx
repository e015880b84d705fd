import { memo } from 'react'
import { addressOfCard } from '../../address.ts'
import { Icon } from '../../components/icon.tsx'
import { Avatar } from '../../components/person.tsx'
import { PrioritySign } from '../../components/status.tsx'
import { clockOf, dayOf, useNow } from '../../components/time.tsx'
import type { CardSummary } from '../../data/cards.ts'
import { useChanged } from '../../data/changed.ts'
import { messages } from '../../messages/messages.ts'
import { useBoardView } from './board-context.ts'

interface CardTileProps {
  readonly card: CardSummary
  readonly index: number
  readonly isSelected: boolean
  readonly isDragged: boolean
  /** Whether Tab leads to it: one card of a column, the arrows lead to the others. */
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
        <PrioritySign priority={card.priority} />
        <span className="ref">{card.ref}</span>
        {card.card_type !== 'normal' && (
          <span className="tile-type" title={texts.types[card.card_type]}>
            <Icon name={card.card_type === 'bug' ? 'bug' : 'test'} size={14} />
            <span className="hidden">{texts.types[card.card_type]}</span>
          </span>
        )}
        <span className="grow" />
        <input
          type="checkbox"
          className="tile-select"
          tabIndex={tabIndex}
          aria-label={texts.select(card.ref)}
          checked={isSelected}
          onChange={() => view.toggleSelected(card)}
        />
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
      </div>
      {/* A link of its own instead of the router's, which listens to the address for each tile. A click opens the card
          over the board (board-mouse.ts). */}
      <a className="tile-title" href={addressOfCard(view.board.key, card.ref)} tabIndex={tabIndex} draggable={false}>
        {card.title}
      </a>
      <TileMarks card={card} />
    </article>
  )
})

/** How many labels a tile shows. */
const mostLabels = 3

function TileMarks({ card }: { readonly card: CardSummary }) {
  const { names } = useBoardView()
  const now = useNow()
  const { labels, blocked_by, open_questions, comments_count, due_date, claim, assignee_id, spec_ref, scenarios } = card
  const isOverdue =
    due_date !== null && Date.parse(due_date) < now && card.status !== 'done' && card.status !== 'cancelled'
  const assignee = assignee_id === null ? undefined : (names.get(assignee_id) ?? assignee_id)
  const hasMarks =
    blocked_by > 0 ||
    open_questions > 0 ||
    due_date !== null ||
    spec_ref !== null ||
    labels.length > 0 ||
    scenarios.total > 0 ||
    comments_count > 0 ||
    claim !== null ||
    assignee !== undefined
  if (!hasMarks) return null
  return (
    <div className="tile-marks">
      {blocked_by > 0 && (
        <span className="badge amber" title={texts.blockedBy(blocked_by)}>
          <Icon name="lock" size={12} />
          <span className="hidden">{texts.blockedBy(blocked_by)}</span>
          <span aria-hidden="true">{blocked_by}</span>
        </span>
      )}
      {open_questions > 0 && (
        <span className="badge amber" title={texts.questions(open_questions)}>
          <Icon name="question" size={12} />
          <span className="hidden">{texts.questions(open_questions)}</span>
          <span aria-hidden="true">{open_questions}</span>
        </span>
      )}
      {due_date !== null && (
        <span
          className={isOverdue ? 'badge red' : 'badge'}
          title={isOverdue ? texts.overdue(dayOf(due_date)) : texts.due(dayOf(due_date))}
        >
          <Icon name="clock" size={12} />
          {dayOf(due_date)}
        </span>
      )}
      {spec_ref !== null && <span className="badge">{spec_ref}</span>}
      {labels.slice(0, mostLabels).map(label => (
        <span key={label} className="badge tile-label truncate">
          {label}
        </span>
      ))}
      {labels.length > mostLabels && <span className="badge">+{labels.length - mostLabels}</span>}
      <span className="grow" />
      {scenarios.total > 0 && <ScenariosMark scenarios={scenarios} />}
      {comments_count > 0 && (
        <span className="tile-count muted" title={texts.comments(comments_count)}>
          <Icon name="comment" size={13} />
          <span className="hidden">{texts.comments(comments_count)}</span>
          <span aria-hidden="true">{comments_count}</span>
        </span>
      )}
      {claim !== null && (
        <span className="badge green" title={texts.claimed(claim.agent_name, clockOf(claim.expires_at))}>
          <span className="hidden">{texts.claimed(claim.agent_name, clockOf(claim.expires_at))}</span>
          <span aria-hidden="true" className="truncate tile-claim">
            {claim.agent_name}
          </span>
          <span aria-hidden="true" className="numbers">
            {clockOf(claim.expires_at)}
          </span>
        </span>
      )}
      {assignee !== undefined && assignee !== claim?.agent_name && <Avatar name={assignee} />}
    </div>
  )
}

function ScenariosMark({ scenarios: { passed, total, failed } }: Pick<CardSummary, 'scenarios'>) {
  const says = texts.scenarios(passed, total)
  const colour = failed > 0 ? ' red' : passed === total ? ' green' : ''
  return (
    <span className={`badge numbers${colour}`} title={says}>
      <Icon name="test" size={12} />
      <span className="hidden">{says}</span>
      <span aria-hidden="true">
        {passed}/{total}
      </span>
    </span>
  )
}
