import { type FormEvent, useId, useState } from 'react'
import { messages } from '../messages/messages.ts'
import { Guarded, type Guards } from './guarded.tsx'
import { Icon } from './icon.tsx'
import { Input } from './input.tsx'
import './labels-field.css'

interface LabelsFieldProps extends Guards {
  readonly labels: readonly string[]
  /** Labels used elsewhere, offered as suggestions. */
  readonly known?: readonly string[]
  readonly onAdd: (label: string) => void
  readonly onRemove: (label: string) => void
}

const texts = messages.card

/** The labels of a record, with buttons to remove each and to add another. */
export function LabelsField({ labels, known = [], onAdd, onRemove, ...guards }: LabelsFieldProps) {
  const [text, setText] = useState('')
  const listId = useId()
  const add = (event: FormEvent) => {
    event.preventDefault()
    const label = text.trim()
    setText('')
    if (label !== '' && !labels.includes(label)) onAdd(label)
  }
  return (
    <div className="labels-field">
      {labels.map(label => (
        <span key={label} className="badge">
          <span className="truncate">{label}</span>
          <Guarded {...guards}>
            {closed => (
              <button
                type="button"
                className="label-off"
                aria-label={texts.removeLabel(label)}
                onClick={() => onRemove(label)}
                {...closed}
              >
                <Icon name="close" size={10} />
              </button>
            )}
          </Guarded>
        </span>
      ))}
      <form onSubmit={add}>
        <Input
          {...guards}
          className="input"
          aria-label={texts.addLabel}
          placeholder={texts.addLabel}
          list={listId}
          value={text}
          maxLength={100}
          onChange={event => setText(event.target.value)}
        />
        <datalist id={listId}>
          {known
            .filter(label => !labels.includes(label))
            .map(label => (
              <option key={label} value={label} />
            ))}
        </datalist>
      </form>
    </div>
  )
}
