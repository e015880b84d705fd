import { useRef, useState } from 'react'
import { usePopover } from '../../components/popover.ts'
import { messages } from '../../messages/messages.ts'
import '../../components/menu.css'

interface DuePickerProps {
  readonly count: number
  readonly anchor: HTMLElement
  /** The day that is chosen already. */
  readonly day: string
  readonly onChoose: (day: string | null) => void
  readonly onClose: () => void
}

const texts = messages.list

/** Chooses a day, or none. */
export default function DuePicker({ count, anchor, day: before, onChoose, onClose }: DuePickerProps) {
  const element = useRef<HTMLDivElement>(null)
  const [day, setDay] = useState(before)
  usePopover(element, anchor, onClose, opened => opened.querySelector('input'))
  const set = () => {
    if (day !== '') onChoose(day)
  }
  return (
    <div ref={element} popover="auto" role="dialog" aria-label={texts.due(count)} className="menu due-picker">
      <div className="stack">
        <input
          className="input"
          type="date"
          aria-label={texts.dueDate}
          value={day}
          onChange={event => setDay(event.target.value)}
          onKeyDown={event => {
            event.stopPropagation()
            if (event.key === 'Enter') set()
            else if (event.key === 'Escape') onClose()
            else return
            event.preventDefault()
          }}
        />
        <div className="row">
          <button type="button" className="button primary" disabled={day === ''} onClick={set}>
            {texts.setDate}
          </button>
          {(before !== '' || count > 1) && (
            <button type="button" className="button quiet" onClick={() => onChoose(null)}>
              {texts.removeDate}
            </button>
          )}
        </div>
      </div>
    </div>
  )
}
