import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Guarded, type Guards } from './guarded.tsx'
import { Failure } from './refusal.tsx'
import './text-form.css'

interface TextFormProps extends Guards {
  readonly label: string
  readonly submit: string
  readonly onSubmit: (text: string) => Promise<unknown>
}

/** A text to be sent, such as a comment or an answer. What was written stays when it is refused. */
export function TextForm({ label, submit, onSubmit, needs, allowed }: TextFormProps) {
  const [text, setText] = useState('')
  const sending = useMutation({ mutationFn: onSubmit, onSuccess: () => setText('') })
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
            onChange={event => setText(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
            }}
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
        </div>
      )}
    </form>
  )
}
