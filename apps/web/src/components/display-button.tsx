import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface DisplayButtonProps {
  readonly isOpen: boolean
  readonly onOpen: (anchor: HTMLElement) => void
  /** The label of the button. */
  readonly children: ReactNode
}

/** Opens the display options of a page. */
export const DisplayButton = ({ isOpen, onOpen, children }: DisplayButtonProps) => (
  <button
    type="button"
    className="button quiet"
    aria-haspopup="dialog"
    aria-expanded={isOpen}
    onClick={event => onOpen(event.currentTarget)}
  >
    <Icon name="display" />
    {children}
  </button>
)
