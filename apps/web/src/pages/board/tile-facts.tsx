import { changeIcons } from '../../components/change-icons.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { tintOf } from '../../components/person.tsx'
import { ProofMark } from '../../components/proof-mark.tsx'
import { clockOf, dayOf, lasting, useNow } from '../../components/time.tsx'
import { isOpen } from '../../data/card-list.ts'
import type { CardSummary } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { useBoardView } from './board-context.ts'

const texts = messages.board

interface TileProps {
  readonly card: CardSummary
}

interface SignProps {
  readonly icon?: IconName | undefined
  readonly says: string
  readonly look?: string
  readonly children?: string | number | undefined
}

/** A number with an icon, in words for screen readers. */
export const Sign = ({ icon, says, look = '', children }: SignProps) => (
  <span className={look === '' ? 'sign' : `sign ${look}`} title={says}>
    {icon !== undefined && <Icon name={icon} size={14} />}
    {children !== undefined && <span aria-hidden="true">{children}</span>}
    <span className="hidden">{says}</span>
  </span>
)

/** The questions, proof and changes of a card: small icons, the last at its right edge. */
export function TileSigns({ card }: TileProps) {
  const { facts } = useBoardView()
  const { open_questions, comments_count, scenarios } = card
  const { passed, total, failed } = scenarios
  return (
    <span className="tile-signs">
      {open_questions > 0 && (
        <Sign icon="question" look="warn" says={texts.questions(open_questions)}>
          {open_questions}
        </Sign>
      )}
      {facts.has('comments') && comments_count > 0 && (
        <Sign icon="comment" says={texts.comments(comments_count)}>
          {comments_count}
        </Sign>
      )}
      {facts.has('proof') && total > 0 && (
        <Sign
          // The icon of a test card is already shown next to its reference.
          icon={card.card_type === 'test' ? undefined : 'test'}
          look={failed > 0 ? 'bad' : passed === total ? 'ok' : ''}
          says={texts.scenarios(passed, total)}
        >{`${passed}/${total}`}</Sign>
      )}
      {facts.has('proof') && <ProofMark proof={card.proof} />}
      {facts.has('change') && <ChangeSign card={card} />}
    </span>
  )
}

/** The icons of a change's checks, shown if they add to the state of the change. */
const checkIcons = { passing: 'check', pending: 'clock', failing: 'close' } as const

/** The state of a card's changes, and the result of their checks (git 10). */
export function ChangeSign({ card: { change_state: state, checks_state: checks } }: TileProps) {
  if (state === null || state === 'none' || state === 'closed') return null
  const isChecked = state !== 'merged' && checks !== null && checks !== 'none'
  const says = isChecked ? `${texts.changes[state]}, ${texts.checks[checks]}` : texts.changes[state]
  const look = state === 'merged' ? 'ok' : isChecked && checks === 'failing' ? 'bad' : ''
  return (
    <span className={look === '' ? 'sign' : `sign ${look}`} title={says}>
      <Icon name={changeIcons[state]} size={14} />
      {isChecked && <Icon name={checkIcons[checks]} size={12} />}
      <span className="hidden">{says}</span>
    </span>
  )
}

/** What blocks a card, in words. */
export function TileWhy({ card }: TileProps) {
  const { blocked_by, checks_state, change_state } = card
  if (!isOpen(card)) return null
  const isFailing = checks_state === 'failing' && change_state !== 'merged' && change_state !== 'closed'
  return (
    <>
      {blocked_by > 0 && (
        <p className="tile-why warn">
          <Icon name="lock" size={14} />
          <span className="truncate">{texts.waitsFor(blocked_by)}</span>
        </p>
      )}
      {isFailing && (
        <p className="tile-why bad">
          <Icon name="wrong" size={14} />
          <span className="truncate">{texts.checksFail}</span>
        </p>
      )}
    </>
  )
}

/** How many labels a tile shows. */
const maxLabels = 2

/** One row of facts; if the title of a spec does not fit next to the others, it gets a second row. */
export function TileFacts({ card }: TileProps) {
  const { facts, specTitles } = useBoardView()
  const now = useNow()
  const { labels, due_date, spec_id, moved_at } = card
  const isOverdue = due_date !== null && Date.parse(due_date) < now && isOpen(card)
  const spec = spec_id === null ? undefined : specTitles.get(spec_id)
  return (
    <span className="tile-facts">
      <span className="tile-marks">
        {facts.has('due') && due_date !== null && (
          <Sign
            icon="calendar"
            look={isOverdue ? 'bad' : ''}
            says={isOverdue ? texts.overdue(dayOf(due_date)) : texts.due(dayOf(due_date))}
          >
            {dayOf(due_date)}
          </Sign>
        )}
        {facts.has('age') && (
          <Sign icon="clock" says={texts.inColumn(lasting(moved_at, now))}>
            {lasting(moved_at, now)}
          </Sign>
        )}
        {facts.has('labels') &&
          labels.slice(0, maxLabels).map(label => (
            <span key={label} className="tile-label">
              <span className={`dot tint-${tintOf(label)}`} />
              <bdi className="truncate">{label}</bdi>
            </span>
          ))}
        {facts.has('labels') && labels.length > maxLabels && (
          <span className="tile-label" title={labels.slice(maxLabels).join(', ')}>
            +{labels.length - maxLabels}
          </span>
        )}
      </span>
      {facts.has('spec') && spec !== undefined && <bdi className="truncate">{spec}</bdi>}
    </span>
  )
}

/** The agent or person that works on a card, and for how long. */
export function TileLive({ card: { claim, open_questions } }: TileProps) {
  const now = useNow()
  if (claim === null) return null
  const { agent_name, claimed_at, expires_at, stage } = claim
  const isWaiting = open_questions > 0 && stage === 'work'
  const time = lasting(claimed_at, now)
  return (
    <p className="tile-live" title={texts.claimed(agent_name, clockOf(expires_at))}>
      <span className={isWaiting ? 'pulse idle' : 'pulse'} />
      <span className="truncate">
        {isWaiting ? texts.live.asks : stage === 'validation' ? texts.live.checks(time) : texts.live.works(time)}
      </span>
    </p>
  )
}
