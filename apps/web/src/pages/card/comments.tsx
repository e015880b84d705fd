import { useQueryClient } from '@tanstack/react-query'
import { ChoiceForm } from '../../components/choice-form.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Person } from '../../components/person.tsx'
import { Section } from '../../components/section.tsx'
import { TextForm } from '../../components/text-form.tsx'
import { Time } from '../../components/time.tsx'
import { type BoardListItem, useNameOf } from '../../data/boards.ts'
import { type Card, refreshCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { useMe } from '../../data/session.ts'
import { PutChoice } from '../../forms/put-choice.tsx'
import { messages } from '../../messages/messages.ts'

const texts = messages.card

type Comment = Card['comments'][number]

/** What is said about a card, choices that are put among it. */
export function Comments({ board, card }: { readonly board: BoardListItem; readonly card: Card }) {
  const queries = useQueryClient()
  const nameOf = useNameOf(board.id)
  const refresh = () => refreshCard(queries, card)
  return (
    <Section title={texts.comments} count={card.comments.length}>
      <ul className="plain stack">
        {card.comments.map(comment => (
          <li key={comment.id} className="box stack">
            <div className="row muted">
              <Person name={nameOf(comment.author_id)} />
              <Time at={comment.created_at} />
            </div>
            <Markdown text={comment.content} />
            {comment.choices !== null && <Choices comment={comment} onAnswered={refresh} />}
          </li>
        ))}
      </ul>
      <TextForm
        label={texts.yourComment}
        submit={texts.comment}
        onSubmit={async content => {
          await client.createComment({ card_id: card.id, content })
          await refresh()
        }}
      />
      <PutChoice
        label={texts.yourComment}
        onSubmit={async ({ type, text, ...choice }) => {
          await client.createComment({ card_id: card.id, content: text, comment_type: type, ...choice })
          await refresh()
        }}
      />
    </Section>
  )
}

/** A choice with who chose what, or the way to choose. */
function Choices({ comment, onAnswered }: { readonly comment: Comment; readonly onAnswered: () => Promise<void> }) {
  const me = useMe()
  const choices = comment.choices ?? []
  const isAnswered = comment.responses.some(({ responder_id }) => responder_id === me.agent_id)
  if (!isAnswered)
    return (
      <ChoiceForm
        choices={choices}
        isMultiple={comment.comment_type === 'multi_choice'}
        allowsText={comment.allow_free_text}
        onSubmit={async (selected, free_text) => {
          await client.respondToComment({ comment_id: comment.id, selected, free_text })
          await onAnswered()
        }}
      />
    )
  return (
    <ul className="plain">
      {choices.map(({ id, label }) => {
        const names = comment.responses
          .filter(({ selected }) => selected.includes(id))
          .map(({ responder_name }) => responder_name)
        return (
          <li key={id} className="row wrap">
            {label}
            {names.length > 0 && <span className="badge green">{texts.chosen(names.join(', '))}</span>}
          </li>
        )
      })}
      {comment.responses.map(
        ({ responder_id, responder_name, free_text }) =>
          free_text !== null && (
            <li key={responder_id} className="row wrap">
              {free_text}
              <span className="badge">{responder_name}</span>
            </li>
          ),
      )}
    </ul>
  )
}
