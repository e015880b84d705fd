import { Section } from '../../components/section.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { Card } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { Activity } from './activity.tsx'
import { Attachments } from './attachments.tsx'
import { Comments } from './comments.tsx'
import { Dependencies } from './dependencies.tsx'
import { EditedText } from './edited-text.tsx'
import { Materials } from './materials.tsx'
import { Progress } from './progress.tsx'
import { Questions } from './questions.tsx'
import { Scenarios } from './scenarios.tsx'
import { Side } from './side.tsx'
import { Conclusions, Validations } from './verdicts.tsx'
import './card.css'

interface CardViewProps {
  readonly board: BoardListItem
  readonly card: Card
  /** The tag of the card as it is shown, for edits. */
  readonly tag: string
  /** The level of the card's title where it stands. */
  readonly heading: 'h1' | 'h3'
}

const texts = messages.card

const bugTexts = [
  ['observed_behavior', texts.bug.observed],
  ['expected_behavior', texts.bug.expected],
  ['steps_to_reproduce', texts.bug.steps],
  ['action_plan', texts.bug.plan],
] as const

/** Everything on a card, in reading order, with its properties and moves beside it. */
export const CardView = ({ board, card, tag, heading }: CardViewProps) => (
  <div className="card-view">
    <div className="card-main">
      {card.archived && <p className="badge">{texts.isArchived}</p>}
      <EditedText card={card} tag={tag} field="title" label={texts.title} as={heading} />
      <Section title={texts.description}>
        <EditedText card={card} tag={tag} field="description" label={texts.description} />
      </Section>
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
      <Scenarios card={card} />
      <Dependencies board={board} card={card} />
      <Materials board={board} card={card} />
      <Attachments card={card} />
      <Questions board={board} card={card} />
      <Conclusions boardId={board.id} card={card} />
      <Validations card={card} />
      <Comments board={board} card={card} />
      <Activity card={card} />
    </div>
    <Side board={board} card={card} />
  </div>
)
