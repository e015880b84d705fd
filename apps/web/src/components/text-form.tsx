import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { hasTexts, useDraft } from '../data/drafts.ts'
import { messages } from '../messages/messages.ts'
import { Guarded, type Guards } from './guarded.tsx'
import { Failure } from './refusal.tsx'
import { sendByKey } from './send-key.ts'
import './text-form.css'

interface TextFormProps extends Guards {
  /** The key under which the draft is kept until it is sent. */
  readonly draft: string
  readonly label: string
  readonly submit: string
  readonly onSubmit: (text: string) => Promise<unknown>
}

const isText = (draft: unknown): draft is { readonly text: string } => hasTexts(draft, 'text')

/** A form for one text, such as a comment or an answer. The draft is kept until it is sent or discarded. */
export function TextForm({ draft, label, submit, onSubmit, needs, allowed }: TextFormProps) {
  const { value, keep, forget } = useDraft(draft, isText)
  const text = value?.text ?? ''
  const sending = useMutation({ mutationFn: onSubmit, onSuccess: forget })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') sending.mutate(text)
  }
  return (
    <form className="text-form stack" onSubmit={send}>
      <Guarded needs={needs} allowed={allowed}>
        {closed => (
          <textarea
            className="input"
            aria-label={label}
            placeholder={label}
            rows={1}
            value={text}
            onChange={event => keep({ text: event.target.value })}
            onKeyDown={sendByKey}
            {...closed}
          />
        )}
      </Guarded>
      <Failure error={sending.error} />
      {text !== '' && (
        <div className="row">
          <button type="submit" className="button primary" disabled={sending.isPending}>
            {submit}
          </button>
          <button type="button" className="button quiet" onClick={forget}>
            {messages.shell.draft.discard}
          </button>
        </div>
      )}
    </form>
  )
}
