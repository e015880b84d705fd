import { useQueryClient } from '@tanstack/react-query'
import { Icon } from '../../components/icon.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Avatar } from '../../components/person.tsx'
import { Removal } from '../../components/removal.tsx'
import { TextForm } from '../../components/text-form.tsx'
import { Time } from '../../components/time.tsx'
import { type BoardListItem, useNameOf } from '../../data/boards.ts'
import { type Card, refreshCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

export type Question = Card['qa_items'][number]

interface QuestionItemProps {
  readonly board: BoardListItem
  readonly card: Card
  readonly question: Question
  /** Its number among the questions, from 1. */
  readonly number: number
}

/** The id of a question's element, to scroll to. */
export const idOfQuestion = (id: string): string => `question-${id}`

/** A question on a card with its answer, or a form to answer it. */
export function QuestionItem({ board, card, question: item, number }: QuestionItemProps) {
  const { id, question, answer, asked_by, answered_by, created_at, answered_at } = item
  const queries = useQueryClient()
  const nameOf = useNameOf(board.id)
  const refresh = () => refreshCard(queries, card)
  const name = nameOf(asked_by)
  return (
    <li id={idOfQuestion(id)}>
      <Avatar name={name} />
      <article className={answer === null ? 'say ask' : 'say'}>
        <header className="row wrap">
          <bdi className="name">{name}</bdi>
          {texts.stream.asked}
          <Time at={created_at} />
          {answer === null && <span className="badge amber">{texts.unanswered}</span>}
          <span className="grow" />
          <Removal
            label={texts.removeQuestion(number)}
            lead={texts.removeQuestionLead}
            needs={['QA_DELETE']}
            onConfirm={async () => {
              await client.deleteCardQuestion({ qa_id: id })
              await refresh()
            }}
          />
        </header>
        <Markdown text={question} />
        {answer === null ? (
          <TextForm
            draft={`question:${id}`}
            label={texts.yourAnswer}
            submit={texts.answer}
            needs={['QA_ANSWER_CARDS']}
            onSubmit={async text => {
              await client.answerCardQuestion({ qa_id: id, answer: text })
              await refresh()
            }}
          />
        ) : (
          <div className="answer">
            <header className="row wrap">
              <Icon name="check" size={14} />
              <bdi className="name">{nameOf(answered_by ?? '')}</bdi>
              {texts.stream.answered}
              {answered_at !== null && <Time at={answered_at} />}
            </header>
            <Markdown text={answer} />
          </div>
        )}
      </article>
    </li>
  )
}
