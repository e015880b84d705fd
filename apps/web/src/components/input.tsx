import type { InputHTMLAttributes } from 'react'
import { Guarded, type Guards } from './guarded.tsx'

type InputProps = Guards & InputHTMLAttributes<HTMLInputElement>

/** A field of an action; closed for who may not take it. */
export const Input = ({ needs, allowed, ...input }: InputProps) => (
  <Guarded needs={needs} allowed={allowed}>
    {closed => <input {...input} {...closed} />}
  </Guarded>
)
