import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react'
import { DateInput, type DateInputProps } from './date-input.tsx'
import type { Guards } from './guarded.tsx'
import { Input, TextArea } from './input.tsx'
import { TimeInput } from './time-input.tsx'
import type { TypedProps } from './typed-input.tsx'

interface LabelProps {
  readonly label: string
}

/** An input with a label above it. */
export const InputField = ({
  label,
  className = 'input',
  ...input
}: LabelProps & Guards & InputHTMLAttributes<HTMLInputElement>) => (
  <label className="field">
    <span>{label}</span>
    <Input className={className} {...input} />
  </label>
)

/** A text area with a label above it. */
export const TextField = ({ label, ...area }: LabelProps & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <label className="field">
    <span>{label}</span>
    <TextArea {...area} />
  </label>
)

/** A date with a label above it. */
export const DateField = (date: DateInputProps) => (
  <LabelAbove label={date.label}>{id => <DateInput {...date} id={id} />}</LabelAbove>
)

/** A time of day with a label above it. */
export const TimeField = (time: TypedProps) => (
  <LabelAbove label={time.label}>{id => <TimeInput {...time} id={id} />}</LabelAbove>
)

interface LabelAboveProps extends LabelProps {
  readonly children: (id: string) => ReactNode
}

/** A label above a field that contains more than its input, such as buttons, which are not part of its name. */
function LabelAbove({ label, children }: LabelAboveProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}
