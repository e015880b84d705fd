import { useQueryClient } from '@tanstack/react-query'
import { Markdown } from '../../components/markdown.tsx'
import { Person } from '../../components/person.tsx'
import { Removal } from '../../components/removal.tsx'
import { Section } from '../../components/section.tsx'
import { TextForm } from '../../components/text-form.tsx'
import { Time } from '../../components/time.tsx'
import { type BoardListItem, useNameOf } from '../../data/boards.ts'
import { type Card, refreshCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

/** Questions on a card, and a way to ask and answer. */
export function Questions({ board, card }: { readonly board: BoardListItem; readonly card: Card }) {
  const queries = useQueryClient()
  const nameOf = useNameOf(board.id)
  const refresh = () => refreshCard(queries, card)
  return (
    <Section title={texts.questions} count={card.qa_items.length}>
      <ul className="plain stack">
        {card.qa_items.map(({ id, question, answer, asked_by, answered_by, created_at, answered_at }, index) => (
          <li key={id} className="box stack">
            <div className="row muted">
              <Person name={nameOf(asked_by)} />
              <Time at={created_at} />
              {answer === null && <span className="badge amber">{texts.unanswered}</span>}
              <span className="grow" />
              <Removal
                label={texts.removeQuestion(index + 1)}
                lead={texts.removeQuestionLead}
                needs={['QA_DELETE']}
                onConfirm={async () => {
                  await client.deleteCardQuestion({ qa_id: id })
                  await refresh()
                }}
              />
            </div>
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
              <div className="answer stack">
                <div className="row muted">
                  <Person name={nameOf(answered_by ?? '')} />
                  {answered_at !== null && <Time at={answered_at} />}
                </div>
                <Markdown text={answer} />
              </div>
            )}
          </li>
        ))}
      </ul>
      <TextForm
        draft={`ask:${card.id}`}
        label={texts.question}
        submit={texts.ask}
        needs={['QA_CREATE']}
        onSubmit={async question => {
          await client.askCardQuestion({ card_id: card.id, question })
          await refresh()
        }}
      />
    </Section>
  )
}
