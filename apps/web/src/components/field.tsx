import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react'

import { Guarded, type Guards } from './guarded.tsx'

interface Labelled {
  readonly label: string
}

/** One line of a form, with a label above. */
export const InputField = ({
  label,
  className = 'input',
  needs,
  allowed,
  ...input
}: Labelled & Guards & InputHTMLAttributes<HTMLInputElement>) => (
  <label className="field">
    <span>{label}</span>
    <Guarded needs={needs} allowed={allowed}>
      {closed => <input className={className} {...input} {...closed} />}
    </Guarded>
  </label>
)

/** Several lines of a form, with a label above. */
export const TextField = ({ label, ...area }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <label className="field">
    <span>{label}</span>
    <textarea className="input" {...area} />
  </label>
)
