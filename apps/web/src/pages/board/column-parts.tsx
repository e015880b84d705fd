import { useId } from 'react'
import { Icon } from '../../components/icon.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { StatusSign } from '../../components/status.tsx'
import type { CardStatus } from '../../data/cards.ts'
import { creatingCard } from '../../data/needs.ts'
import { useCardType } from '../../data/rights.ts'
import { messages } from '../../messages/messages.ts'
import { useBoardView } from './board-context.ts'
import { ColumnCount } from './column-limit.tsx'
import type { Prospect } from './drag.ts'

const texts = messages.board

interface ColumnHeadProps {
  readonly status: CardStatus
  readonly count: number
  /** If undefined, as above lanes, cards cannot be added here. */
  readonly onAdd?: () => void
}

/** The status of a column, its number of cards, and a button to add one. */
export function ColumnHead({ status, count, onAdd }: ColumnHeadProps) {
  const { unfolded, setFolded } = useBoardView()
  const cardType = useCardType()
  const name = texts.statuses[status]
  return (
    <header className="column-head">
      <StatusSign status={status} />
      <h2>{name}</h2>
      <span className="grow">
        <ColumnCount status={status} count={count} />
      </span>
      {unfolded.has(status) && (
        <IconButton
          icon="fold"
          label={texts.fold(name)}
          title={texts.fold(name)}
          onClick={() => setFolded(status, true)}
        />
      )}
      {onAdd !== undefined && (
        <IconButton
          icon="plus"
          data-add=""
          label={texts.add(name)}
          needs={creatingCard(cardType, status)}
          onClick={onAdd}
        />
      )}
    </header>
  )
}

interface FoldedColumnProps {
  readonly status: CardStatus
  readonly count: number
  readonly isClosed: boolean
  readonly isInLane: boolean
  /** The note about the cards that are held over it. */
  readonly note: string | undefined
  readonly onUnfold: () => void
}

/** A folded column: a click unfolds it, and a card that is dropped on it is added at its end. */
export function FoldedColumn({ status, count, isClosed, isInLane, note, onUnfold }: FoldedColumnProps) {
  const id = useId()
  const name = texts.statuses[status]
  return (
    <>
      <button
        type="button"
        className="column-fold"
        data-column={status}
        data-count="0"
        aria-expanded="false"
        aria-describedby={note === undefined ? undefined : id}
        title={texts.unfold(name)}
        onClick={onUnfold}
      >
        {!isInLane && <StatusSign status={status} />}
        <span className="hidden">{texts.unfoldIt}</span>
        <span className={isInLane ? 'hidden' : 'column-name'}>{name}</span>
        <ColumnCount status={status} count={count} />
        {isClosed && <Icon name="lock" size={14} />}
      </button>
      {note !== undefined && (
        <p id={id} className={isClosed ? 'column-note aside refused-note' : 'column-note aside'}>
          {note}
        </p>
      )}
    </>
  )
}

interface GateProps {
  readonly prospect: Prospect | undefined
  /** What is dragged, as a reference or a number of cards. */
  readonly dragged: string
}

/**
 * A column's note about the dragged cards: over its cards, why the column is closed; otherwise, what a drop asks for.
 */
export function Gate({ prospect, dragged }: GateProps) {
  if (prospect?.note === undefined) return null
  const { isClosed, note } = prospect
  if (!isClosed) return <p className="column-note">{note}</p>
  return (
    <div className="column-note refused-note">
      <strong>
        <Icon name="lock" size={14} /> {texts.closedFor(dragged)}
      </strong>
      <p>{note}</p>
    </div>
  )
}
