import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { messages } from '../messages/messages.ts'
import { Button } from './button.tsx'
import type { Guards } from './guarded.tsx'
import { Input } from './input.tsx'
import { Failure } from './refusal.tsx'

interface ChoiceFormProps extends Guards {
  readonly choices: readonly { readonly id: string; readonly label: string }[]
  readonly isMultiple: boolean
  readonly allowsText: boolean
  readonly onSubmit: (selected: string[], text: string | null) => Promise<unknown>
}

/** Answers a choice that somebody put. */
export function ChoiceForm({ choices, isMultiple, allowsText, onSubmit, needs, allowed }: ChoiceFormProps) {
  const name = useId()
  const [selected, setSelected] = useState<readonly string[]>([])
  const [text, setText] = useState('')
  const sending = useMutation({ mutationFn: () => onSubmit([...selected], text === '' ? null : text) })
  const send = (event: FormEvent) => {
    event.preventDefault()
    sending.mutate()
  }
  const toggle = (id: string) =>
    setSelected(
      isMultiple ? (selected.includes(id) ? selected.filter(other => other !== id) : [...selected, id]) : [id],
    )
  return (
    <form className="stack" onSubmit={send}>
      {choices.map(({ id, label }) => (
        <label key={id} className="row">
          <Input
            needs={needs}
            allowed={allowed}
            type={isMultiple ? 'checkbox' : 'radio'}
            name={name}
            checked={selected.includes(id)}
            onChange={() => toggle(id)}
          />
          {label}
        </label>
      ))}
      {allowsText && (
        <Input
          needs={needs}
          allowed={allowed}
          className="input"
          aria-label={messages.card.yourAnswer}
          placeholder={messages.card.yourAnswer}
          value={text}
          onChange={event => setText(event.target.value)}
        />
      )}
      <Failure error={sending.error} />
      <div className="row">
        <Button
          type="submit"
          className="button primary"
          needs={needs}
          allowed={allowed}
          disabled={sending.isPending || (selected.length === 0 && text === '')}
        >
          {messages.card.respond}
        </Button>
      </div>
    </form>
  )
}
