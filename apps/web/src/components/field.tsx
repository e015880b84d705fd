import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react'

interface Labelled {
  readonly label: string
}

/** One line of a form, with a label above. */
export const InputField = ({
  label,
  className = 'input',
  ...input
}: Labelled & InputHTMLAttributes<HTMLInputElement>) => (
  <label className="field">
    <span>{label}</span>
    <input className={className} {...input} />
  </label>
)

/** Several lines of a form, with a label above. */
export const TextField = ({ label, ...area }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <label className="field">
    <span>{label}</span>
    <textarea className="input" {...area} />
  </label>
)
