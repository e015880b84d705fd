import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Guarded, noNeeds } from '../../components/guarded.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { opening } from '../../components/part.tsx'
import { Failure } from '../../components/refusal.tsx'
import { MarkdownArea } from '../../components/writing/markdown-area.tsx'
import { type Card, refreshCard } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { hasTexts, useDraft } from '../../data/drafts.ts'
import type { Needs } from '../../data/needs.ts'
import { useClosure } from '../../data/rights.ts'
import { messages } from '../../messages/messages.ts'
import { useAttaching } from './attaching.ts'

const texts = messages.card

const PutChoiceDialog = opening(async () => ({
  default: (await import('../../forms/put-choice-dialog.tsx')).PutChoiceDialog,
}))

const commenting: Needs = ['COMMENTS_CREATE']
const asking: Needs = ['QA_CREATE']

const isText = (value: unknown): value is { readonly text: string } => hasTexts(value, 'text')

/** One field for a comment or a question on a card. The draft is kept until it is sent or discarded. */
export function Composer({ card }: { readonly card: Card }) {
  const queries = useQueryClient()
  const field = useRef<HTMLTextAreaElement>(null)
  const { value, keep, forget } = useDraft(`comment-on:${card.id}`, isText)
  const [isChoosing, setChoosing] = useState(false)
  const text = value?.text ?? ''
  const attach = useAttaching(card)
  const mayAsk = useClosure(asking) === undefined
  const mayComment = useClosure(commenting) === undefined
  const sending = useMutation({
    mutationFn: async (as: 'comment' | 'question') => {
      await (as === 'comment'
        ? client.createComment({ card_id: card.id, content: text })
        : client.askCardQuestion({ card_id: card.id, question: text }))
      forget()
      await refreshCard(queries, card)
    },
  })
  const send = (as: 'comment' | 'question') => {
    if (text.trim() === '') field.current?.focus()
    else if (field.current?.reportValidity() !== false) sending.mutate(as)
  }
  return (
    <>
      <form
        className="composer"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          send(mayComment ? 'comment' : 'question')
        }}
      >
        <Guarded needs={mayAsk ? noNeeds : commenting}>
          {closed => (
            <MarkdownArea
              ref={field}
              boardId={card.board_id}
              data-key="c"
              aria-label={texts.yourComment}
              placeholder={texts.yourComment}
              rows={2}
              value={text}
              onText={input => keep({ text: input })}
              attach={attach}
              closed={closed}
            />
          )}
        </Guarded>
        <Failure error={sending.error} />
        <div className="composer-foot">
          <IconButton
            icon="list"
            label={texts.choice.title}
            title={texts.choice.title}
            needs={['COMMENTS_CREATE_CHOICE']}
            onClick={() => setChoosing(true)}
          />
          {text !== '' && (
            <button type="button" className="button quiet" onClick={forget}>
              {messages.shell.draft.discard}
            </button>
          )}
          <span className="grow" />
          <Button needs={asking} disabled={sending.isPending} onClick={() => send('question')}>
            {texts.stream.askIt}
          </Button>
          <Button className="button primary" needs={commenting} type="submit" disabled={sending.isPending}>
            {texts.comment}
          </Button>
        </div>
      </form>
      {isChoosing && (
        <PutChoiceDialog
          draft={`choice-on:${card.id}`}
          label={texts.yourComment}
          onSubmit={async ({ type, text: content, ...choice }) => {
            await client.createComment({ card_id: card.id, content, comment_type: type, ...choice })
            await refreshCard(queries, card)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}
