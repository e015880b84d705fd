import type { MouseEvent, ReactNode } from 'react'
import { addressOfCard } from '../../address.ts'
import { basePath } from '../../base-path.ts'
import { Icon } from '../../components/icon.tsx'
import { Avatar } from '../../components/person.tsx'
import { ProofMark } from '../../components/proof-mark.tsx'
import { PrioritySign, StatusSign } from '../../components/status.tsx'
import { dayOf, lasting, useNow } from '../../components/time.tsx'
import { isOpen } from '../../data/card-list.ts'
import type { CardSummary } from '../../data/cards.ts'
import { changing, writingIn } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'
import { CellButton, EmptyCell, Labels } from '../../table/cells.tsx'
import { useRowTab } from '../../table/row-tab.ts'
import { ChangeSign, Sign } from '../board/tile-facts.tsx'
import { type EditedField, useListView } from './list-context.ts'

const texts = messages.list
const { board: words } = messages

interface CellProps {
  readonly card: CardSummary
}

interface EditedCellProps extends CellProps {
  readonly field: EditedField
  /** The name of the field, for screen readers; its value follows. */
  readonly label: string
  readonly children: ReactNode
}

/** The name of a field in the permissions that its change needs. */
const writtenAs = { priority: 'priority', assignee: 'assignee_id', label: 'labels', due: 'due_date' } as const

/** A value that is edited in place; locked for people who may not. */
function EditedCell({ card, field, label, children }: EditedCellProps) {
  const view = useListView()
  const needs =
    field === 'status'
      ? (['CARDS_MOVE', writingIn('card', card.status)] as const)
      : changing('card', card.status, writtenAs[field])
  return (
    <CellButton
      field={field}
      needs={needs}
      label={texts.of(label, card.ref)}
      onEdit={anchor => view.edit(field, card, anchor)}
    >
      {children}
    </CellButton>
  )
}

export const PriorityCell = ({ card }: CellProps) => (
  <EditedCell card={card} field="priority" label={texts.columns.priority}>
    <PrioritySign priority={card.priority} />
  </EditedCell>
)

export const StatusCell = ({ card }: CellProps) => (
  <EditedCell card={card} field="status" label={texts.columns.status}>
    <StatusSign status={card.status} />
    <span className="truncate">{words.statuses[card.status]}</span>
  </EditedCell>
)

/** Whether a click on a link is meant for another tab or window. */
const isForElsewhere = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  ctrlKey || metaKey || shiftKey || altKey

/** The title, which opens the card over the list, and what blocks the card. */
export function TitleCell({ card }: CellProps) {
  const { board, openCard } = useListView()
  const tabIndex = useRowTab()
  const { ref, title, card_type, blocked_by, open_questions } = card
  return (
    <span className="cell-row">
      {card_type !== 'normal' && (
        <Sign
          icon={card_type === 'bug' ? 'bug' : 'test'}
          look={card_type === 'bug' ? 'bad' : ''}
          says={words.types[card_type]}
        />
      )}
      <a
        className="cell-link truncate"
        href={basePath + addressOfCard(board.key, ref)}
        tabIndex={tabIndex}
        data-entry=""
        dir="auto"
        onClick={event => {
          if (isForElsewhere(event)) return
          event.preventDefault()
          openCard(ref)
        }}
      >
        {title}
      </a>
      {blocked_by > 0 && isOpen(card) && (
        <Sign icon="lock" look="warn" says={words.waitsFor(blocked_by)}>
          {blocked_by}
        </Sign>
      )}
      {open_questions > 0 && (
        <Sign icon="question" look="warn" says={words.questions(open_questions)}>
          {open_questions}
        </Sign>
      )}
    </span>
  )
}

export const LabelsCell = ({ card }: CellProps) => (
  <EditedCell card={card} field="label" label={texts.columns.labels}>
    <Labels labels={card.labels} className="tile-label" />
  </EditedCell>
)

/** The proof of a card: its source, and how many scenarios passed. */
export function ProofCell({ card: { proof, scenarios } }: CellProps) {
  const { passed, total, failed } = scenarios
  if (proof === null && total === 0) return <EmptyCell />
  return (
    <span className="cell-row">
      <ProofMark proof={proof} />
      {total > 0 && (
        <span className={failed > 0 ? 'bad' : passed === total ? 'ok' : ''} title={words.scenarios(passed, total)}>
          <span aria-hidden="true">{`${passed}/${total}`}</span>
          <span className="hidden">{words.scenarios(passed, total)}</span>
        </span>
      )}
    </span>
  )
}

export const ChangeCell = ({ card }: CellProps) =>
  card.change_state === null || card.change_state === 'none' || card.change_state === 'closed' ? (
    <EmptyCell />
  ) : (
    <ChangeSign card={card} />
  )

/** Whether a card is overdue. */
export const isLate = (card: CardSummary, now: number): boolean =>
  card.due_date !== null && Date.parse(card.due_date) < now && isOpen(card)

export function DueCell({ card }: CellProps) {
  const now = useNow()
  const { due_date } = card
  return (
    <EditedCell card={card} field="due" label={texts.dueDate}>
      {due_date === null ? (
        <EmptyCell says={texts.noDate} />
      ) : (
        <span
          className={isLate(card, now) ? 'bad' : ''}
          title={isLate(card, now) ? words.overdue(dayOf(due_date)) : undefined}
        >
          {dayOf(due_date)}
        </span>
      )}
    </EditedCell>
  )
}

export function AgeCell({ card: { moved_at } }: CellProps) {
  const time = lasting(moved_at, useNow())
  return <bdi title={words.inColumn(time)}>{time}</bdi>
}

/** A user-written text, on one line. */
export const TextCell = ({ children }: { readonly children: string | undefined }) =>
  children === undefined ? (
    <EmptyCell />
  ) : (
    <bdi className="truncate cell-text" title={children}>
      {children}
    </bdi>
  )

/** The agent or person that works on a card or is assigned to it. */
export function AssigneeCell({ card, name }: CellProps & { readonly name: string | undefined }) {
  const who = card.claim?.agent_name ?? name
  return (
    <EditedCell card={card} field="assignee" label={texts.columns.assignee}>
      {who === undefined ? (
        <>
          <span className="avatar nobody" aria-hidden="true" />
          <span className="hidden">{words.unassigned}</span>
        </>
      ) : (
        <>
          <span className="row" aria-hidden="true">
            <Avatar name={who} isLive={card.claim !== null} />
          </span>
          <bdi className="truncate">{who}</bdi>
        </>
      )}
    </EditedCell>
  )
}

export const CountCell = ({ count }: { readonly count: number }) => (count === 0 ? <EmptyCell /> : count)

/** An icon before the name of a group. */
export const GroupIcon = ({ name }: { readonly name: 'person' | 'file' | 'flag' }) => (
  <span className="sign">
    <Icon name={name} size={14} />
  </span>
)
