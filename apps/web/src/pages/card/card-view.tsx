import { useRef } from 'react'
import { useLocation } from 'wouter'
import { addressOfCard, addressOfSpec } from '../../address.ts'
import { useCommands } from '../../components/commands.ts'
import { copyLink } from '../../components/copy-link.tsx'
import { Icon } from '../../components/icon.tsx'
import { Section } from '../../components/section.tsx'
import { type BoardListItem, useSpecs } from '../../data/boards.ts'
import type { Card } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { Attachments } from './attachments.tsx'
import { CardContent } from './card-content.tsx'
import { focusProperty, useCardKeys } from './card-keys.ts'
import { Changes } from './changes.tsx'
import { Dependencies } from './dependencies.tsx'
import { EditedText } from './edited-text.tsx'
import { Progress } from './progress.tsx'
import { Proof } from './proof.tsx'
import { idOfQuestion } from './questions.tsx'
import { Side } from './side.tsx'
import { Stream } from './stream.tsx'
import { Conclusions, Validations } from './verdicts.tsx'
import './card.css'

interface CardViewProps {
  readonly board: BoardListItem
  readonly card: Card
  /** The ETag of the card as shown, for edits. */
  readonly tag: string
  /** The level of the card's title on this page. */
  readonly heading: 'h1' | 'h3'
}

const texts = messages.card

const bugTexts = [
  ['observed_behavior', texts.bug.observed],
  ['expected_behavior', texts.bug.expected],
  ['steps_to_reproduce', texts.bug.steps],
  ['action_plan', texts.bug.plan],
] as const

/** The properties that the palette offers, by the keys of their controls. */
const properties = [
  { key: 'a', label: messages.board.choose.assignee(1), icon: 'person' },
  { key: 'p', label: messages.board.choose.priority(1), icon: 'chart' },
  { key: 'l', label: messages.board.choose.label(1), icon: 'edit' },
  { key: 'd', label: messages.list.due(1), icon: 'calendar' },
] as const

/** The filter keys that work on a card page. */
const shownKeys: ReadonlySet<string> = new Set(['l', 'd'])

/** Everything on a card: its task, proof and discussion; its status and properties next to it. */
export function CardView({ board, card, tag, heading }: CardViewProps) {
  const root = useRef<HTMLDivElement>(null)
  const [, navigate] = useLocation()
  const { data: specs } = useSpecs(board.id)
  const spec = specs?.find(({ id }) => id === card.spec_id)
  useCardKeys(root)
  const find = (key: string) => root.current?.querySelector<HTMLElement>(key)
  useCommands(`${card.ref} ${card.title}`, [
    {
      id: 'edit',
      label: texts.keyEdit,
      sign: <Icon name="edit" />,
      key: 'e',
      run: () => find('[data-key="e"] .edit-button')?.click(),
    },
    {
      id: 'comment',
      label: texts.keyComment,
      sign: <Icon name="comment" />,
      key: 'c',
      run: () => find('[data-key="c"]')?.focus(),
    },
    ...properties.map(({ key, label, icon }) => ({
      id: `property ${key}`,
      label,
      sign: <Icon name={icon} />,
      ...(key.length === 1 && shownKeys.has(key) && { key }),
      run: () => focusProperty(root, key),
    })),
    {
      id: 'claim',
      label: card.claim === null ? texts.claimIt : texts.release,
      sign: <Icon name="flag" />,
      run: () => find('[data-key="claim"] button')?.click(),
    },
    {
      id: 'wait',
      label: texts.addDependency,
      sign: <Icon name="network" />,
      run: () => find('[data-key="wait"]')?.click(),
    },
    ...(spec === undefined
      ? []
      : [
          {
            id: 'spec',
            label: texts.openSpec(spec.title),
            sign: <Icon name="file" />,
            run: () => navigate(addressOfSpec(board.key, spec.ref)),
          },
        ]),
    {
      id: 'copy',
      label: messages.shell.copyLink,
      sign: <Icon name="link" />,
      run: () => void copyLink({ reference: card.ref, address: addressOfCard(board.key, card.ref) }),
    },
  ])
  return (
    <div className="card-view" ref={root}>
      <div className="card-main">
        <div className="card-head">
          {card.archived && <p className="badge">{texts.isArchived}</p>}
          <EditedText card={card} tag={tag} field="title" label={texts.title} as={heading} />
          <Waiting card={card} />
          <div className="card-text" data-key="e">
            <EditedText card={card} tag={tag} field="description" label={texts.description} />
          </div>
        </div>
        {card.details !== null && card.details !== '' && (
          <Section title={texts.details}>
            <EditedText card={card} tag={tag} field="details" label={texts.details} />
          </Section>
        )}
        {card.card_type === 'bug' &&
          bugTexts.map(([field, label]) => (
            <Section key={field} title={label}>
              <EditedText card={card} tag={tag} field={field} label={label} />
            </Section>
          ))}
        <Progress card={card} />
        <Proof card={card} />
        <Changes card={card} />
        <div className="card-parts">
          <Dependencies board={board} card={card} />
          <CardContent board={board} card={card} />
          <Attachments card={card} />
        </div>
        <Conclusions boardId={board.id} card={card} />
        <Validations card={card} />
        <Stream board={board} card={card} />
      </div>
      <Side board={board} card={card} />
    </div>
  )
}

/** What needs attention first: open questions, and changes of the task since it was claimed (crew 4.7). */
function Waiting({ card: { qa_items, changed_since_claimed = [] } }: { readonly card: Card }) {
  const open = qa_items.filter(({ answer }) => answer === null)
  return (
    <>
      {changed_since_claimed.length > 0 && (
        <div className="card-note">
          <Icon name="flag" />
          <p>
            <strong>{texts.changedSince}:</strong>{' '}
            {changed_since_claimed
              .map(({ field, item }) => texts.requirementChanged(field.replaceAll('_', ' '), item))
              .join('; ')}
          </p>
        </div>
      )}
      {open[0] !== undefined && (
        <div className="card-note">
          <Icon name="question" />
          <p className="grow">{texts.waitingQuestions(open.length)}</p>
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              const question = document.getElementById(idOfQuestion(open[0]!.id))
              question?.scrollIntoView({ block: 'center' })
              question?.querySelector('textarea')?.focus({ preventScroll: true })
            }}
          >
            {texts.toQuestion}
          </button>
        </div>
      )}
    </>
  )
}
