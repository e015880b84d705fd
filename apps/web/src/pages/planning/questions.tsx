import { useQueryClient } from '@tanstack/react-query'
import { ChoiceForm } from '../../components/choice-form.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Person } from '../../components/person.tsx'
import { Removal } from '../../components/removal.tsx'
import { Section } from '../../components/section.tsx'
import { TextForm } from '../../components/text-form.tsx'
import { Time } from '../../components/time.tsx'
import { useNameOf } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import type { Needs } from '../../data/needs.ts'
import { type PlanRecords, refreshPlan } from '../../data/planning.ts'
import { PutChoice } from '../../forms/put-choice.tsx'
import { messages } from '../../messages/messages.ts'
import type { ShownPlan } from './shown.ts'

const texts = messages.card

type QuestionKind = 'ideation' | 'refinement' | 'spec'
type Question = PlanRecords[QuestionKind]['qa_items'][number]

/** A new question, with choices if it has any. */
type NewQuestion = Omit<Parameters<typeof client.askSpecQuestion>[0], 'spec_id'>

/** The question calls of each kind of record. */
const questionCalls = {
  ideation: {
    answers: ['QA_ANSWER_IDEATIONS'],
    ask: (ideation_id: string, question: NewQuestion) => client.askIdeationQuestion({ ideation_id, ...question }),
    answer: (ideation_id: string, qa_id: string, answer: Answer) =>
      client.answerIdeationQuestion({ ideation_id, qa_id, ...answer }),
    remove: (ideation_id: string, qa_id: string) => client.deleteIdeationQuestion({ ideation_id, qa_id }),
  },
  refinement: {
    answers: ['QA_ANSWER_REFINEMENTS'],
    ask: (refinement_id: string, question: NewQuestion) => client.askRefinementQuestion({ refinement_id, ...question }),
    answer: (refinement_id: string, qa_id: string, answer: Answer) =>
      client.answerRefinementQuestion({ refinement_id, qa_id, ...answer }),
    remove: (refinement_id: string, qa_id: string) => client.deleteRefinementQuestion({ refinement_id, qa_id }),
  },
  spec: {
    answers: ['QA_ANSWER_SPECS'],
    ask: (spec_id: string, question: NewQuestion) => client.askSpecQuestion({ spec_id, ...question }),
    answer: (spec_id: string, qa_id: string, answer: Answer) =>
      client.answerSpecQuestion({ spec_id, qa_id, ...answer }),
    remove: (spec_id: string, qa_id: string) => client.deleteSpecQuestion({ spec_id, qa_id }),
  },
} as const

interface Answer {
  readonly answer?: string | null
  readonly selected?: string[]
}

/** The questions on a record, with forms to ask and answer; sprints have none. */
export function Questions({ board, kind, record }: ShownPlan) {
  const queries = useQueryClient()
  const nameOf = useNameOf(board.id)
  if (kind === 'sprint') return null
  const calls = questionCalls[kind]
  const items: readonly Question[] = record.qa_items as Question[]
  const refresh = () => refreshPlan(queries, kind, record.id)
  const ask = async (question: NewQuestion) => {
    await calls.ask(record.id, question)
    await refresh()
  }
  const answer = async (id: string, response: Answer) => {
    await calls.answer(record.id, id, response)
    await refresh()
  }
  return (
    <Section title={texts.questions} count={items.length}>
      <ul className="plain stack">
        {items.map((item, index) => (
          <li key={item.id} className="box stack">
            <div className="row muted">
              <Person name={nameOf(item.asked_by)} />
              <Time at={item.created_at} />
              {item.answered_at === null && <span className="badge amber">{texts.unanswered}</span>}
              <span className="grow" />
              <Removal
                label={texts.removeQuestion(index + 1)}
                lead={texts.removeQuestionLead}
                needs={['QA_DELETE']}
                onConfirm={async () => {
                  await calls.remove(record.id, item.id)
                  await refresh()
                }}
              />
            </div>
            <Markdown text={item.question} />
            {item.answered_at === null ? (
              <AnswerForm item={item} needs={calls.answers} onAnswer={response => answer(item.id, response)} />
            ) : (
              <AnswerText item={item} by={nameOf(item.answered_by ?? '')} />
            )}
          </li>
        ))}
      </ul>
      <TextForm
        draft={`ask:${record.id}`}
        label={texts.question}
        submit={texts.ask}
        needs={['QA_CREATE']}
        onSubmit={question => ask({ question })}
      />
      <PutChoice
        draft={`choice-on:${record.id}`}
        label={texts.question}
        needs={['QA_CREATE_CHOICE']}
        onSubmit={({ type, text, ...choice }) => ask({ question: text, question_type: type, ...choice })}
      />
    </Section>
  )
}

interface AnswerFormProps {
  readonly item: Question
  readonly needs: Needs
  readonly onAnswer: (answer: Answer) => Promise<void>
}

const AnswerForm = ({ item, needs, onAnswer }: AnswerFormProps) =>
  item.choices === null ? (
    <TextForm
      draft={`question:${item.id}`}
      label={texts.yourAnswer}
      submit={texts.answer}
      needs={needs}
      onSubmit={answer => onAnswer({ answer })}
    />
  ) : (
    <ChoiceForm
      draft={`question:${item.id}`}
      choices={item.choices}
      isMultiple={item.question_type === 'multi_choice'}
      allowsText={item.allow_free_text}
      needs={needs}
      onSubmit={(selected, answer) => onAnswer({ selected, answer })}
    />
  )

/** An answer: the choices and the text. */
function AnswerText({ item, by }: { readonly item: Question; readonly by: string }) {
  const chosen = item.choices?.filter(({ id }) => item.selected?.includes(id)) ?? []
  return (
    <div className="answer stack">
      <div className="row muted">
        <Person name={by} />
        {item.answered_at !== null && <Time at={item.answered_at} />}
      </div>
      {chosen.length > 0 && <p>{chosen.map(({ label }) => label).join(', ')}</p>}
      {item.answer !== null && <Markdown text={item.answer} />}
    </div>
  )
}
