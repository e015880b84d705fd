import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react'
import { DateInput, type DateInputProps } from './date-input.tsx'
import type { Guards } from './guarded.tsx'
import { Input, TextArea } from './input.tsx'
import { TimeInput } from './time-input.tsx'
import type { TypedProps } from './typed-input.tsx'

interface Labelled {
  readonly label: string
}

/** An input with a label above it. */
export const InputField = ({
  label,
  className = 'input',
  ...input
}: Labelled & Guards & InputHTMLAttributes<HTMLInputElement>) => (
  <label className="field">
    <span>{label}</span>
    <Input className={className} {...input} />
  </label>
)

/** A text area with a label above it. */
export const TextField = ({ label, ...area }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <label className="field">
    <span>{label}</span>
    <TextArea {...area} />
  </label>
)

/** A date with a label above it. Its buttons stand outside the label, so that they are no part of its name. */
export function DateField(date: DateInputProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{date.label}</label>
      <DateInput {...date} id={id} />
    </div>
  )
}

/** A time of day with a label above it. */
export function TimeField(time: TypedProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{time.label}</label>
      <TimeInput {...time} id={id} />
    </div>
  )
}
