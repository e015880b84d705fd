import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react'
import type { Guards } from './guarded.tsx'
import { Input, TextArea } from './input.tsx'

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
