import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ActionSentence, iconOfAction } from '../../components/action-sentence.tsx'
import { Icon } from '../../components/icon.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Segments } from '../../components/segments.tsx'
import { Time } from '../../components/time.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { Card } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useMay } from '../../data/rights.ts'
import { shownName } from '../../data/shown-name.ts'
import { messages } from '../../messages/messages.ts'
import { CommentItem } from './comments.tsx'
import { Composer } from './composer.tsx'
import { QuestionItem } from './questions.tsx'

const texts = messages.card.stream

const parts = ['all', 'talk', 'activity'] as const

type Part = (typeof parts)[number]

/** An entry of the stream: a comment, or an event. */
interface Item {
  readonly at: string
  readonly kind: Exclude<Part, 'all'>
  readonly content: ReactNode
}

/** Events that the stream already shows in full. */
const shownInFull = /^(?:comment_(?:added|updated|responded)|question_(?:added|answered)|claim_renewed)$/

/** Events that are listed under the changes of the card, and in the stream only if it shows nothing but activity. */
const aside = /^change_(?:linked|links_noted)$/

/** How many are shown at first. */
const first = 12

interface StreamProps {
  readonly board: BoardListItem
  readonly card: Card
}

/** The discussion and activity of a card, oldest first, with the field to join in. */
export function Stream({ board, card }: StreamProps) {
  const [part, setPart] = useState<Part>('all')
  const [isWhole, setWhole] = useState(false)
  const { data: entries, error } = useQuery({
    queryKey: keys.part('card', card.id, 'activity'),
    queryFn: async () => (await client.listCardActivity({ card_id: card.id })).items,
    enabled: useMay('CARDS_READ_ACTIVITY'),
  })
  const items: readonly Item[] = [
    ...card.comments.map((comment, place) => ({
      at: comment.created_at,
      kind: 'talk' as const,
      content: <CommentItem key={comment.id} board={board} card={card} comment={comment} number={place + 1} />,
    })),
    ...card.qa_items.map((question, place) => ({
      at: question.created_at,
      kind: 'talk' as const,
      content: <QuestionItem key={question.id} board={board} card={card} question={question} number={place + 1} />,
    })),
    ...(entries ?? [])
      .filter(({ action }) => !shownInFull.test(action) && (part === 'activity' || !aside.test(action)))
      .map(entry => ({
        at: entry.created_at,
        kind: 'activity' as const,
        content: (
          <li key={entry.id} className="event-line">
            <span className="event-sign">
              <Icon name={iconOfAction(entry.action)} size={14} />
            </span>
            <p>
              <bdi className="name">{shownName(entry.actor_name)}</bdi>{' '}
              <ActionSentence action={entry.action} details={entry.details} /> <Time at={entry.created_at} />
            </p>
          </li>
        ),
      })),
  ]
    .filter(({ kind }) => part === 'all' || kind === part)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const hidden = isWhole ? 0 : foldable(items)
  return (
    <Section
      title={texts.title}
      count={items.length}
      actions={<Segments label={texts.show} options={texts.parts} values={parts} chosen={part} onChoose={setPart} />}
    >
      <Failure error={error} />
      {hidden > 0 && (
        <button type="button" className="button quiet earlier" onClick={() => setWhole(true)}>
          {texts.earlier(hidden)}
        </button>
      )}
      {items.length > 0 && <ol className="plain stream">{items.slice(hidden).map(({ content }) => content)}</ol>}
      <Composer card={card} />
    </Section>
  )
}

/** How many of the oldest entries are folded: only events, never comments. */
function foldable(items: readonly Item[]): number {
  const talk = items.findIndex(({ kind }) => kind === 'talk')
  return Math.max(0, Math.min(items.length - first, talk === -1 ? items.length : talk))
}
