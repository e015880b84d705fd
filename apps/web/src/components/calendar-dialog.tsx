import { type FocusEventHandler, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { usePopover } from './popover.ts'
import './menu.css'

interface CalendarDialogProps {
  /** What is chosen here. */
  readonly label: string
  /** What opened it, where the focus returns. */
  readonly anchor: HTMLElement
  /** What it stands below, if not the anchor. */
  readonly at?: HTMLElement
  /** Finds the element that is focused when it opens. */
  readonly first: (opened: HTMLElement) => HTMLElement | null | undefined
  /** Whether a key closes it besides Escape. */
  readonly closesOn?: (event: KeyboardEvent) => boolean
  readonly onClose: () => void
  readonly onBlur?: FocusEventHandler<HTMLDivElement>
  readonly children: ReactNode
}

/** Where days are chosen, below what opened it: no key reaches the page behind it, and Escape closes it alone. */
export function CalendarDialog(props: CalendarDialogProps) {
  const { label, anchor, at, first, closesOn = () => false, onClose, onBlur, children } = props
  const element = useRef<HTMLDivElement>(null)
  usePopover(element, anchor, onClose, first, at)
  return (
    <div
      ref={element}
      popover="auto"
      role="dialog"
      aria-label={label}
      className="menu calendar-popover"
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key !== 'Escape' && !closesOn(event)) return
        event.preventDefault()
        onClose()
      }}
      onBlur={onBlur}
    >
      {children}
    </div>
  )
}
