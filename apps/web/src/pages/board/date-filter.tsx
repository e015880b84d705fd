import { useState } from 'react'
import { CalendarDialog } from '../../components/calendar-dialog.tsx'
import { DateInput, type DateInputProps } from '../../components/date-input.tsx'
import { Select } from '../../components/select.tsx'
import { messages } from '../../messages/messages.ts'
import { type DaySpan, spanOf, valueOfSpan } from './day-span.ts'

interface DateFilterProps {
  /** The property whose days are chosen. */
  readonly label: string
  readonly anchor: HTMLElement
  /** The span that is chosen already. */
  readonly value: string | undefined
  readonly onChoose: (value: string) => void
  readonly onClose: () => void
}

const texts = messages.board.filters

const kinds = ['before', 'after', 'between'] as const

/** Chooses days by which cards are filtered: before one, after one, or between two. */
export default function DateFilter({ label, anchor, value, onChoose, onClose }: DateFilterProps) {
  const [span, setSpan] = useState<DaySpan>(spanOf(value ?? '') ?? { kind: 'before', from: '', to: '' })
  const { kind, from, to } = span
  const chosen = valueOfSpan(span)
  return (
    <CalendarDialog
      label={texts.daysOf(label)}
      anchor={anchor}
      first={opened => opened.querySelector('select')}
      onClose={onClose}
    >
      <div className="stack">
        <Select
          label={texts.daysOf(label)}
          value={kind}
          options={kinds.map(each => ({ value: each, label: texts.spans[each] }))}
          onChange={each => each !== '' && setSpan({ ...span, kind: each })}
        />
        {kind !== 'before' && (
          <Day
            label={kind === 'after' ? texts.day : texts.from}
            value={from}
            max={kind === 'between' && to !== '' ? to : undefined}
            onChange={day => setSpan(now => ({ ...now, from: day }))}
          />
        )}
        {kind !== 'after' && (
          <Day
            label={kind === 'before' ? texts.day : texts.to}
            value={to}
            min={kind === 'between' && from !== '' ? from : undefined}
            onChange={day => setSpan(now => ({ ...now, to: day }))}
          />
        )}
        <button
          type="button"
          className="button primary"
          aria-disabled={chosen === undefined}
          onClick={() => {
            if (chosen === undefined) return
            onChoose(chosen)
            onClose()
          }}
        >
          {texts.show}
        </button>
      </div>
    </CalendarDialog>
  )
}

/** A day, with its name above it. */
const Day = (day: DateInputProps) => (
  <div className="field">
    <span aria-hidden="true">{day.label}</span>
    <DateInput {...day} />
  </div>
)
