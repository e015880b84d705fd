import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { addressOfRecord, addressOfRepositories, addressOfWebhooks } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { ChoiceForm } from '../../components/choice-form.tsx'
import { useSettling } from '../../components/hold.ts'
import { Icon } from '../../components/icon.tsx'
import { Linked } from '../../components/linked.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { useIsStacked } from '../../components/narrow.ts'
import { opening, part } from '../../components/part.tsx'
import { Avatar } from '../../components/person.tsx'
import { Failure, RefusalText } from '../../components/refusal.tsx'
import { SectionHeading } from '../../components/section.tsx'
import { TextForm } from '../../components/text-form.tsx'
import { Time } from '../../components/time.tsx'
import type { CardStatus } from '../../data/cards.ts'
import type { InboxItem, InboxKind } from '../../data/inbox.ts'
import { keys } from '../../data/keys.ts'
import { isPlanKind } from '../../data/planning.ts'
import { refusalOfDetail } from '../../data/refusal.ts'
import { shownName } from '../../data/shown-name.ts'
import { messages } from '../../messages/messages.ts'
import { statusWords } from '../../messages/status-words.ts'
import { useMoveCard } from '../../moves/move-context.ts'
import { MoveMenu } from '../../moves/move-menu.tsx'
import { isVerdict } from '../planning/verdict-forms.ts'
import { EntryActions, isSnoozed, SnoozedUntil } from './entry-actions.tsx'
import { KindSign } from './kind-sign.tsx'

const texts = messages.inbox

const VerdictDialog = opening(() => import('../planning/verdict-dialog.tsx'))
const ReviewDialog = opening(() => import('../planning/review-dialog.tsx'))
const ValidateForm = part(async () => ({ default: (await import('../card/validate-dialog.tsx')).ValidateForm }))
const ProposedValidation = opening(() => import('../card/proposed-validation.tsx'))

interface EntryProps {
  readonly item: InboxItem
}

/** The full context of an inbox item. */
const About = part(() => import('./about.tsx'))

/** An inbox item: the record, what is asked, and a control to settle it here. */
export function InboxEntry({ item }: EntryProps) {
  const { kind, record, actor_name, since } = item
  const isStacked = useIsStacked()
  const isVerdictHere = kind === 'card_validation' && !isStacked
  return (
    <article className={isVerdictHere ? 'entry judged' : 'entry'}>
      <header className="entry-head">
        <p className="row">
          <KindSign item={item} />
          {record.ref !== null && <span className="ref">{record.ref}</span>}
          <span className="muted">{texts.one[kind]}</span>
          <span className="grow" />
          <EntryActions item={item} />
          {record.ref !== null && (
            <Link
              className="button quiet icon"
              href={addressOfRecord(record.entity_type, record.ref)}
              aria-label={texts.openRecord(record.ref)}
              title={texts.openRecord(record.ref)}
              data-opens
            >
              <Icon name="expand" />
            </Link>
          )}
        </p>
        <h2 dir="auto">
          <Linked text={record.title} />
        </h2>
        {actor_name !== null && (
          <p className="row muted">
            <Avatar name={shownName(actor_name)} />
            <bdi>{shownName(actor_name)}</bdi>
            <Time at={since} />
          </p>
        )}
        {isSnoozed(item) && (
          <p className="muted">
            {texts.snooze.isAway} <SnoozedUntil item={item} />
          </p>
        )}
      </header>
      <div className={isVerdictHere ? 'entry-settle decide' : 'entry-settle'}>
        <Settling item={item} />
      </div>
      <SectionHeading value="h3">
        <About item={item} />
      </SectionHeading>
    </article>
  )
}

/**
 * Makes the call that settles an item with the person's answer, and removes the item from the list at once. In the
 * inbox, the call is sent once Undo is no longer offered; on the page of a single item, it is sent at once.
 */
function useAnswer({ id, operation, arguments: args }: InboxItem) {
  const { settle } = useSettling(id)
  return (input: Readonly<Record<string, unknown>>, draft: object | null, says: string = texts.answered) =>
    settle({ operation, arguments: { ...args, ...input }, draft }, says)
}

/** The message after an item was settled by a click. */
function settledBy({ operation, arguments: args, kind, record }: InboxItem): string {
  const name = record.ref ?? record.title
  const target = args.target_status ?? args.status
  if (operation.startsWith('move_') && typeof target === 'string') return texts.moved(name, statusWords(target))
  return texts.settledKinds[kind]?.(name) ?? texts.answered
}

const ways: Readonly<Record<InboxKind, (props: EntryProps) => ReactNode>> = {
  question: Question,
  choice_comment: Question,
  card_validation: Validation,
  card_rework: Rework,
  spec_review: Review,
  spec_validation: Verdict,
  spec_evaluation: Verdict,
  sprint_evaluation: Verdict,
  ideation_evaluation: Verdict,
  card_stuck: Stuck,
  claim_expired: OneCall,
  webhook_failing: Webhook,
  automation_refused: RefusedMove,
  checks_failed: WaitingChange,
  change_unmerged: WaitingChange,
  card_unproven: WaitingChange,
  scenario_failed: WaitingChange,
  regression: WaitingChange,
  forge_refused: RefusedEvents,
  own_draft: NextStep,
  ideation_next: NextStep,
  refinement_next: NextStep,
  spec_coverage: NextStep,
  spec_start: NextStep,
  spec_finish: NextStep,
  sprint_next: NextStep,
  card_unplanned: NextStep,
  card_passed: NextStep,
  card_approval: NextStep,
  card_attempts: NextStep,
  card_outgrown: NextStep,
  answer: News,
  claim_lost: News,
  card_changed: News,
  overlap: News,
  crew_gap: Gap,
  notice: News,
  mention: Mention,
  connection_ended: News,
}

function Settling({ item }: EntryProps) {
  const Way = ways[item.kind]
  return <Way item={item} />
}

const textIn = (data: InboxItem['data'], name: string): string => {
  const value = data?.[name]
  return typeof value === 'string' ? value : ''
}

interface Choice {
  readonly id: string
  readonly label: string
}

const isChoice = (value: unknown): value is Choice =>
  typeof value === 'object' && value !== null && 'id' in value && 'label' in value

const choicesIn = (data: InboxItem['data']): readonly Choice[] =>
  Array.isArray(data?.choices) ? data.choices.filter(isChoice) : []

/** A question or choice, answered in place. */
function Question({ item }: EntryProps) {
  const answer = useAnswer(item)
  const choices = choicesIn(item.data)
  const isComment = item.kind === 'choice_comment'
  const kind = textIn(item.data, isComment ? 'comment_type' : 'question_type')
  return (
    <>
      <Markdown text={textIn(item.data, isComment ? 'content' : 'question')} />
      {choices.length > 0 ? (
        <ChoiceForm
          draft={item.id}
          choices={choices}
          isMultiple={kind.startsWith('multi')}
          allowsText={item.data?.allow_free_text === true}
          onSubmit={(selected, text) =>
            answer(
              { selected, ...(text !== null && { [isComment ? 'free_text' : 'answer']: text }) },
              { selected, text: text ?? '' },
            )
          }
        />
      ) : (
        <TextForm
          draft={item.id}
          label={texts.yourAnswer}
          submit={texts.answer}
          onSubmit={text => answer({ answer: text }, { text })}
        />
      )}
    </>
  )
}

function Validation({ item }: EntryProps) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const readAgain = () => void queries.invalidateQueries({ queryKey: keys.inbox })
  const { id, ref, entity_type } = item.record
  if (!useIsStacked() && ref !== null && entity_type === 'card')
    return (
      <>
        <h3>{texts.yourVerdict}</h3>
        <ValidateForm item={item.id} card={{ id, ref, board_id: item.board_id! }} onDone={readAgain} />
      </>
    )
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {messages.card.validate}
      </button>
      {isOpen && (
        <ProposedValidation
          item={item.id}
          cardId={id}
          onClose={() => {
            setOpen(false)
            readAgain()
          }}
        />
      )}
    </>
  )
}

/** A spec that waits for approval, with its whole content. */
function Review({ item }: EntryProps) {
  const answer = useAnswer(item)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="row">
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {texts.review}
      </button>
      {isOpen && (
        <ReviewDialog
          specId={item.record.id}
          onApprove={() => answer({}, null, settledBy(item))}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

/** The findings of a reviewer, and the move that resumes the work. */
function Rework({ item }: EntryProps) {
  return (
    <>
      <Markdown text={textIn(item.data, 'summary')} />
      <OneCall item={item} />
    </>
  )
}

/** An item that one click settles. */
function OneCall({ item, label = texts.calls[item.kind] ?? texts.open }: EntryProps & { readonly label?: string }) {
  const answer = useAnswer(item)
  const settling = useMutation({ mutationFn: () => answer({}, null, settledBy(item)) })
  return (
    <>
      <div className="row">
        <button type="button" className="button" disabled={settling.isPending} onClick={() => settling.mutate()}>
          {label}
        </button>
      </div>
      <Failure error={settling.error} />
    </>
  )
}

interface AwaitedCard {
  readonly ref: string
  readonly title: string
}

const isWaited = (value: unknown): value is AwaitedCard =>
  typeof value === 'object' && value !== null && 'ref' in value && 'title' in value

/** Why a card is stuck, and where it may go. */
function Stuck({ item }: EntryProps) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const { id, ref, title, status } = item.record
  const card = { id, ref: ref ?? '', title, status: status as CardStatus, board_id: item.board_id! }
  const waitsFor = Array.isArray(item.data?.waits_for) ? item.data.waits_for.filter(isWaited) : []
  return (
    <>
      <p className="muted">{waitsFor.length === 0 ? texts.onHold : texts.waitsFor}</p>
      {waitsFor.length > 0 && (
        <ul className="plain stack entry-waits">
          {waitsFor.map(({ ref, title }) => (
            <li key={ref}>
              <Link href={addressOfRecord('card', ref)}>{ref}</Link>{' '}
              <bdi>
                <Linked text={title} />
              </bdi>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <button type="button" className="button" aria-haspopup="menu" onClick={event => setAnchor(event.currentTarget)}>
          {messages.board.moveTo}
        </button>
      </div>
      {anchor !== undefined && <MoveMenu card={card} anchor={anchor} onClose={() => setAnchor(undefined)} />}
    </>
  )
}

/** A verdict on a planned record, given here; the record itself is a click away. */
function Verdict({ item: { id: itemId, operation, record } }: EntryProps) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const { entity_type, id, ref } = record
  if (!isPlanKind(entity_type) || !isVerdict(operation)) return null
  return (
    <div className="row">
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {messages.verdicts.operations[operation]}
      </button>
      {ref !== null && (
        <Link className="button quiet" href={addressOfRecord(entity_type, ref)}>
          {texts.read}
        </Link>
      )}
      {isOpen && (
        <VerdictDialog
          item={itemId}
          kind={entity_type}
          record={{ id }}
          operation={operation}
          onClose={() => {
            setOpen(false)
            void queries.invalidateQueries({ queryKey: keys.inbox })
          }}
        />
      )}
    </div>
  )
}

/** A failing webhook, which is fixed in the settings of its board. */
function Webhook({ item }: EntryProps) {
  return (
    <Link className="button" href={addressOfWebhooks(item.board_key!)}>
      {texts.open}
    </Link>
  )
}

/** A record that waits for its changes, checks or proof; what is missing is listed below. */
function WaitingChange({ item }: EntryProps) {
  const { ref, entity_type } = item.record
  const message = textIn(item.data, 'message')
  return (
    <>
      {message !== '' && (
        <p className="muted">
          <Linked text={message} />
        </p>
      )}
      {ref !== null && (
        <div className="row">
          <Link className="button" href={addressOfRecord(entity_type, ref)}>
            {texts.open}
          </Link>
        </div>
      )}
    </>
  )
}

/**
 * A move that a change triggered, and why it was refused (git 7); if only its report is missing, it can be made here.
 */
function RefusedMove({ item }: EntryProps) {
  const { data, record, operation } = item
  const move = useMoveCard()
  const { from_status: from, to_status: to } = (data?.move ?? {}) as Partial<Record<string, CardStatus>>
  if (from === undefined || to === undefined || record.ref === null) return <WaitingChange item={item} />
  const { code, message, missing } = data ?? {}
  const card = { id: record.id, ref: record.ref, title: record.title, status: from, board_id: item.board_id! }
  return (
    <>
      <p className="muted">{texts.toBeMoved(statusWords(from), statusWords(to))}</p>
      <div className="refusal">
        <RefusalText refusal={refusalOfDetail({ error: code, message, missing })} />
      </div>
      <div className="row">
        {operation === 'move_card' && (
          <Button className="button primary" onClick={() => void move(card, to)}>
            {texts.moveTo(statusWords(to))}
          </Button>
        )}
        <Link className="button" href={addressOfRecord(record.entity_type, record.ref)}>
          {texts.open}
        </Link>
      </div>
    </>
  )
}

/** A repository that refuses the events of its forge. */
function RefusedEvents({ item }: EntryProps) {
  const count = item.data?.refused_count
  return (
    <>
      <p className="muted">{texts.refusedEvents(typeof count === 'number' ? count : 0)}</p>
      <div className="row">
        <Link className="button" href={addressOfRepositories(item.board_key!)}>
          {texts.open}
        </Link>
      </div>
    </>
  )
}

/** The labels of a list of gaps. */
const labelsIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap((one: { readonly label?: unknown } | null) => (typeof one?.label === 'string' ? [one.label] : []))
    : []

/** A record that waits for its next step: a click moves it, or opens the record if more input is needed. */
function NextStep({ item }: EntryProps) {
  const { ref, entity_type } = item.record
  const { status, target_status: target = status } = item.arguments
  const missing = labelsIn(item.data?.first)
  const asks = Array.isArray(item.data?.asks) ? item.data.asks : []
  const isOneClick = item.operation.startsWith('move_') && asks.length === 0 && typeof target === 'string'
  return (
    <>
      {missing.length > 0 && <p className="muted">{texts.missing(missing)}</p>}
      {item.kind === 'card_attempts' && <p className="muted">{texts.attempts}</p>}
      {item.operation === 'allow_attempts' && <OneCall item={item} label={texts.allowAttempt} />}
      {isOneClick ? (
        <OneCall item={item} label={texts.moveTo(statusWords(target))} />
      ) : (
        ref !== null && (
          <div className="row">
            <Link className="button" href={addressOfRecord(entity_type, ref)}>
              {texts.open}
            </Link>
          </div>
        )
      )}
    </>
  )
}

/** The parts of a spec or card that changed, such as `test_scenarios t1`. */
const placesIn = (data: InboxItem['data']): string[] =>
  Array.isArray(data?.changes)
    ? (data.changes as readonly { field: string; item: string | null }[]).map(({ field, item }) =>
        [field.replaceAll('_', ' '), item].filter(part => part !== null).join(' '),
      )
    : []

/** The news of an item, in a sentence. */
function newsOf({ kind, data, record }: InboxItem): string {
  if (kind === 'answer') return textIn(data, 'question')
  if (kind === 'mention') return textIn(data, 'excerpt')
  if (kind === 'claim_lost') return texts.lost[textIn(data, 'reason')] ?? ''
  if (kind === 'card_changed') return texts.changed(placesIn(data))
  if (kind === 'overlap') return texts.overlaps(textIn(data, 'agent_name'), textIn(data, 'example'))
  if (kind === 'connection_ended') return texts.connectionEnded(record.title, textIn(data, 'agent_name'))
  return texts.settingsNotice
}

/** A mention: the text, and a field to answer, which settles the mention (people 5.6). */
function Mention({ item }: EntryProps) {
  const answer = useAnswer(item)
  if (item.operation !== 'create_comment') return <News item={item} />
  return (
    <>
      <p>{newsOf(item)}</p>
      <TextForm
        draft={item.id}
        label={texts.yourReply}
        submit={texts.reply}
        onSubmit={content => answer({ content }, { text: content })}
      />
      <Dismissal item={item} />
    </>
  )
}

/** News without an action: it disappears when the record is read, or at a click. */
function News({ item }: EntryProps) {
  return (
    <>
      <p className="muted">{newsOf(item)}</p>
      {item.kind === 'answer' && <Markdown text={textIn(item.data, 'answer')} />}
      <Dismissal item={item} />
    </>
  )
}

/** Dismisses news from the inbox. */
function Dismissal({ item }: EntryProps) {
  const { settle } = useSettling(item.id)
  const call = { operation: 'dismiss_inbox_items', arguments: { ids: [item.id] } }
  const dismissing = useMutation({ mutationFn: () => settle(call, texts.dismissed) })
  return (
    <>
      <div className="row">
        <button
          type="button"
          className="button quiet"
          disabled={dismissing.isPending}
          onClick={() => dismissing.mutate()}
        >
          {texts.dismiss}
        </button>
      </div>
      <Failure error={dismissing.error} />
    </>
  )
}

/** A permission that records wait for and that no agent of the board has. */
function Gap({ item }: EntryProps) {
  return <p className="muted">{texts.gap(messages.permissions.may(textIn(item.data, 'permission')))}</p>
}
