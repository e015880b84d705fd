import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Guarded, type Guards } from './guarded.tsx'
import { Icon } from './icon.tsx'
import { Input } from './input.tsx'
import './chips-field.css'

interface ChipsFieldProps extends Guards {
  readonly values: readonly string[]
  /** The names of the controls. */
  readonly words: { readonly add: string; readonly remove: (value: string) => string }
  /** Values used elsewhere, offered as suggestions. */
  readonly suggestions?: readonly string[]
  /** What is shown next to a value. */
  readonly noteOf?: (value: string) => ReactNode
  readonly maxLength: number
  /** Called with what is typed, before it is added. */
  readonly onType?: (text: string) => void
  readonly onAdd: (value: string) => void
  readonly onRemove: (value: string) => void
}

/** Short texts of a record, with buttons to remove each and to add another. */
export function ChipsField(props: ChipsFieldProps) {
  const { values, words, suggestions = [], noteOf, maxLength, onType, onAdd, onRemove, ...guards } = props
  const [text, setText] = useState('')
  const listId = useId()
  const type = (typed: string) => {
    setText(typed)
    onType?.(typed.trim())
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    const value = text.trim()
    type('')
    if (value !== '' && !values.includes(value)) onAdd(value)
  }
  return (
    <div className="chips-field">
      {values.map(value => (
        <span key={value} className="badge">
          <span className="truncate" dir="auto">
            {value}
          </span>
          {noteOf?.(value)}
          <Guarded {...guards}>
            {closed => (
              <button
                type="button"
                className="chip-off"
                aria-label={words.remove(value)}
                onClick={() => onRemove(value)}
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
          aria-label={words.add}
          placeholder={words.add}
          list={listId}
          value={text}
          maxLength={maxLength}
          onChange={event => type(event.target.value)}
        />
        <datalist id={listId}>
          {suggestions
            .filter(value => !values.includes(value))
            .map(value => (
              <option key={value} value={value} />
            ))}
        </datalist>
      </form>
    </div>
  )
}
