import type { ButtonHTMLAttributes } from 'react'
import { Guarded, type Guards } from './guarded.tsx'
import { Icon, type IconName } from './icon.tsx'

interface IconButtonProps
  extends Guards,
    Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children' | 'className'> {
  /** What it does, for screen readers. */
  readonly label: string
  readonly icon: IconName
  readonly size?: number
}

/** A quiet button that shows only an icon; with a `title`, hovering shows what it does. */
export const IconButton = ({ label, icon, size, needs, allowed, ...rest }: IconButtonProps) => (
  <Guarded needs={needs} allowed={allowed}>
    {closed => (
      <button type="button" className="button quiet icon" aria-label={label} {...rest} {...closed}>
        <Icon name={icon} {...(size !== undefined && { size })} />
      </button>
    )}
  </Guarded>
)
