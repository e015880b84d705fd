import type { ButtonHTMLAttributes } from 'react'
import { Guarded, type Guards } from './guarded.tsx'
import { Icon } from './icon.tsx'

type ButtonProps = Guards & ButtonHTMLAttributes<HTMLButtonElement>

/** The button of an action; with a lock for people who may not take it. */
export const Button = ({ needs, allowed, className = 'button', children, ...rest }: ButtonProps) => (
  <Guarded needs={needs} allowed={allowed}>
    {closed => (
      <button type="button" className={className} {...rest} {...closed}>
        {closed !== undefined && <Icon name="lock" size={12} />}
        {children}
      </button>
    )}
  </Guarded>
)
