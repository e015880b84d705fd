import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { useDrafted } from './drafted.ts'
import { Guarded, type Guards } from './guarded.tsx'

type InputProps = Guards & InputHTMLAttributes<HTMLInputElement>

/** An input of an action; locked for people who may not take it. In a form it starts with its kept value. */
export function Input({ needs, allowed, ...input }: InputProps) {
  const drafted = useDrafted(input.value === undefined || isBox(input) ? input.name : undefined)
  const defaults = drafted === undefined ? {} : isBox(input) ? ticked(input, drafted) : { defaultValue: drafted[0] }
  return (
    <Guarded needs={needs} allowed={allowed}>
      {closed => <input {...input} {...defaults} {...closed} />}
    </Guarded>
  )
}

const isBox = ({ type }: InputProps): boolean => type === 'checkbox' || type === 'radio'

const ticked = ({ value = 'on', checked }: InputProps, drafted: readonly string[]) =>
  checked === undefined ? { defaultChecked: drafted.includes(String(value)) } : {}

/** A text area of a form, which starts with its kept value. */
export function TextArea({ className = 'input', ...area }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const [initial] = useDrafted(area.name) ?? []
  return <textarea className={className} {...area} {...(initial !== undefined && { defaultValue: initial })} />
}
