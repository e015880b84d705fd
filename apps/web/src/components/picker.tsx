import { type ReactNode, useId, useRef, useState } from 'react'
import { messages } from '../messages/messages.ts'
import { Icon } from './icon.tsx'
import { usePopover } from './popover.ts'
import './menu.css'
import './picker.css'

export interface PickerOption {
  readonly value: string
  readonly label: string
  /** Shown before the text. */
  readonly sign?: ReactNode
}

interface PickerProps {
  /** What is chosen here, for screen readers and above the search field. */
  readonly label: string
  readonly anchor: HTMLElement
  readonly options: readonly PickerOption[]
  /** The values that are selected. */
  readonly chosen: readonly string[]
  /** Called with a value that is selected or deselected; the picker stays open where several may be selected. */
  readonly onChoose: (value: string) => void
  /** Called with a text that is not an option, such as a new label. */
  readonly onNew?: (words: string) => void
  /** Called with what is typed if the options are searched elsewhere; they are then shown unfiltered. */
  readonly onWords?: (words: string) => void
  readonly onClose: () => void
}

/** Maximum number of options that are drawn; more are found by typing. */
const maxShown = 100

/** A list to choose from by typing: arrow keys move through it, Enter chooses, Escape and a click outside close it. */
export default function Picker({ label, anchor, options, chosen, onChoose, onNew, onWords, onClose }: PickerProps) {
  const id = useId()
  const element = useRef<HTMLDivElement>(null)
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  usePopover(element, anchor, onClose, opened => opened.querySelector('input'))
  const sought = words.trim().toLowerCase()
  const fitting =
    onWords === undefined ? options.filter(option => option.label.toLowerCase().includes(sought)) : options
  const found = fitting.slice(0, maxShown)
  const isNew = onNew !== undefined && sought !== '' && !options.some(option => option.label.toLowerCase() === sought)
  const count = found.length + (isNew ? 1 : 0)
  const choose = (index: number) => {
    const option = found[index]
    if (option !== undefined) onChoose(option.value)
    else if (isNew) onNew(words.trim())
  }
  const go = (to: number) => {
    const next = (to + count) % Math.max(count, 1)
    setAt(next)
    element.current?.querySelector(`[data-option="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div ref={element} popover="auto" role="dialog" aria-label={label} className="menu picker">
      <input
        className="picker-words"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={count === 0 ? undefined : `${id}${at}`}
        placeholder={label}
        value={words}
        onChange={event => {
          setWords(event.target.value)
          setAt(0)
          onWords?.(event.target.value)
        }}
        onKeyDown={event => {
          event.stopPropagation()
          if (event.key === 'ArrowDown') go(at + 1)
          else if (event.key === 'ArrowUp') go(at - 1)
          else if (event.key === 'Enter') choose(at)
          else if (event.key === 'Escape' || event.key === 'Tab') onClose()
          else return
          event.preventDefault()
        }}
      />
      <div className="picker-options" id={id} role="listbox" aria-label={label} aria-multiselectable="true">
        {found.map((option, index) => (
          <div
            key={option.value}
            id={`${id}${index}`}
            data-option={index}
            role="option"
            aria-selected={chosen.includes(option.value)}
            tabIndex={-1}
            className={index === at ? 'menu-item at' : 'menu-item'}
            onPointerDown={event => event.preventDefault()}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(index)}
            onKeyDown={event => event.key === 'Enter' && choose(index)}
          >
            <span className="row">
              {option.sign !== undefined && (
                <span className="row" aria-hidden="true">
                  {option.sign}
                </span>
              )}
              <bdi className="truncate grow">{option.label}</bdi>
              <Icon name={chosen.includes(option.value) ? 'check' : 'blank'} size={14} />
            </span>
          </div>
        ))}
        {isNew && (
          <div
            id={`${id}${found.length}`}
            data-option={found.length}
            role="option"
            aria-selected="false"
            tabIndex={-1}
            className={at === found.length ? 'menu-item at' : 'menu-item'}
            onPointerDown={event => event.preventDefault()}
            onClick={() => choose(found.length)}
            onKeyDown={event => event.key === 'Enter' && choose(found.length)}
          >
            <span className="row">
              <Icon name="plus" size={14} />
              <bdi className="truncate grow">{words.trim()}</bdi>
            </span>
          </div>
        )}
      </div>
      {count === 0 && <p className="menu-note">{messages.shell.palette.nothing}</p>}
    </div>
  )
}
