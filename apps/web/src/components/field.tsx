import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react'
import type { Guards } from './guarded.tsx'
import { Input, TextArea } from './input.tsx'

interface Labelled {
  readonly label: string
}

/** One line of a form, with a label above. */
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

/** Several lines of a form, with a label above. */
export const TextField = ({ label, ...area }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <label className="field">
    <span>{label}</span>
    <TextArea {...area} />
  </label>
)
