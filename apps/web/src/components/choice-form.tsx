import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { hasTexts, useDraft } from '../data/drafts.ts'
import { messages } from '../messages/messages.ts'
import { Button } from './button.tsx'
import type { Guards } from './guarded.tsx'
import { Input } from './input.tsx'
import { Failure } from './refusal.tsx'

interface ChoiceFormProps extends Guards {
  /** The key under which the choice and the text are kept until they are sent. */
  readonly draft: string
  readonly choices: readonly { readonly id: string; readonly label: string }[]
  readonly isMultiple: boolean
  readonly allowsText: boolean
  readonly onSubmit: (selected: string[], text: string | null) => Promise<unknown>
}

interface ChoiceValues {
  readonly text: string
  readonly selected: readonly string[]
}

const isChosen = (draft: unknown): draft is ChoiceValues =>
  hasTexts(draft, 'text') && 'selected' in draft && Array.isArray(draft.selected)

const nothingYet: ChoiceValues = { text: '', selected: [] }

/** Answers a choice. The selection and the text are kept until they are sent. */
export function ChoiceForm({ draft, choices, isMultiple, allowsText, onSubmit, needs, allowed }: ChoiceFormProps) {
  const name = useId()
  const { value = nothingYet, keep, forget } = useDraft(draft, isChosen)
  const { selected, text } = value
  const sending = useMutation({
    mutationFn: () => onSubmit([...selected], text === '' ? null : text),
    onSuccess: forget,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    sending.mutate()
  }
  const toggled = (id: string): readonly string[] => {
    if (!isMultiple) return [id]
    return selected.includes(id) ? selected.filter(other => other !== id) : [...selected, id]
  }
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
            onChange={() => keep({ text, selected: toggled(id) })}
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
          onChange={event => keep({ selected, text: event.target.value })}
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
