import { useQueryClient } from '@tanstack/react-query'
import { ChoiceForm } from '../../components/choice-form.tsx'
import { EditedText } from '../../components/edited-text.tsx'
import { Linked } from '../../components/linked.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Avatar } from '../../components/person.tsx'
import { Removal } from '../../components/removal.tsx'
import { Time } from '../../components/time.tsx'
import { type BoardListItem, useNameOf } from '../../data/boards.ts'
import { type Card, readCard, refreshCard, rememberCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { useMe } from '../../data/session.ts'
import { messages } from '../../messages/messages.ts'
import { useAttaching } from './attaching.ts'

const texts = messages.card

export type Comment = Card['comments'][number]

interface CommentItemProps {
  readonly board: BoardListItem
  readonly card: Card
  readonly comment: Comment
  /** Its number among the comments, from 1. */
  readonly number: number
}

/** A comment on a card, or a choice. */
export function CommentItem({ board, card, comment, number }: CommentItemProps) {
  const queries = useQueryClient()
  const nameOf = useNameOf(board.id)
  const me = useMe()
  const refresh = () => refreshCard(queries, card)
  const name = nameOf(comment.author_id)
  return (
    <li>
      <Avatar name={name} />
      <article className="say">
        <header className="row wrap">
          <bdi className="name">{name}</bdi>
          {comment.choices === null ? texts.stream.said : texts.stream.chose}
          <Time at={comment.created_at} />
          <span className="grow" />
          {(comment.author_id === me.agent_id || board.owner_id === me.agent_id) && (
            <Removal
              label={texts.removeComment(number)}
              lead={texts.removeCommentLead}
              needs={['COMMENTS_DELETE']}
              onConfirm={async () => {
                await client.deleteComment({ comment_id: comment.id })
                await refresh()
              }}
            />
          )}
        </header>
        {comment.author_id === me.agent_id ? (
          <OwnText card={card} comment={comment} label={texts.commentOf(number)} />
        ) : (
          <Markdown text={comment.content} />
        )}
        {comment.choices !== null && <Choices comment={comment} onAnswered={refresh} />}
      </article>
    </li>
  )
}

interface OwnTextProps {
  readonly card: Card
  readonly comment: Comment
  readonly label: string
}

/** The person's own comment, which nobody else can change. */
function OwnText({ card, comment: { id, content }, label }: OwnTextProps) {
  const queries = useQueryClient()
  const read = async () => {
    const now = await readCard(card.id)
    rememberCard(queries, now)
    return { text: now.card.comments.find(comment => comment.id === id)?.content ?? '', tag: '' }
  }
  return (
    <EditedText
      draft={`comment:${id}`}
      text={content}
      tag=""
      label={label}
      boardId={card.board_id}
      attach={useAttaching(card)}
      isRequired
      needs={['COMMENTS_UPDATE']}
      read={read}
      write={text => client.updateComment({ comment_id: id, content: text })}
    />
  )
}

/** A choice with who chose what, or a form to choose. */
function Choices({ comment, onAnswered }: { readonly comment: Comment; readonly onAnswered: () => Promise<void> }) {
  const me = useMe()
  const choices = comment.choices ?? []
  const isAnswered = comment.responses.some(({ responder_id }) => responder_id === me.agent_id)
  if (!isAnswered)
    return (
      <ChoiceForm
        draft={`choice_comment:${comment.id}`}
        choices={choices}
        isMultiple={comment.comment_type === 'multi_choice'}
        allowsText={comment.allow_free_text}
        needs={['COMMENTS_RESPOND']}
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
            <Linked text={label} />
            {names.length > 0 && <span className="badge green">{texts.chosen(names)}</span>}
          </li>
        )
      })}
      {comment.responses.map(
        ({ responder_id, responder_name, free_text }) =>
          free_text !== null && (
            <li key={responder_id} className="row wrap">
              <Linked text={free_text} />
              <bdi className="badge">{responder_name}</bdi>
            </li>
          ),
      )}
    </ul>
  )
}
