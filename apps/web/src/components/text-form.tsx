import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Failure } from './refusal.tsx'
import './text-form.css'

interface TextFormProps {
  readonly label: string
  readonly submit: string
  readonly onSubmit: (text: string) => Promise<unknown>
}

/** A text to be sent, such as a comment or an answer. What was written stays when it is refused. */
export function TextForm({ label, submit, onSubmit }: TextFormProps) {
  const [text, setText] = useState('')
  const sending = useMutation({ mutationFn: onSubmit, onSuccess: () => setText('') })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') sending.mutate(text)
  }
  return (
    <form className="text-form stack" onSubmit={send}>
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
      />
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
