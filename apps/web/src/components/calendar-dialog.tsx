import { type FocusEventHandler, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { usePopover } from './popover.ts'
import './menu.css'

interface CalendarDialogProps {
  /** Names what is chosen here. */
  readonly label: string
  /** The element that opened it, to which the focus returns. */
  readonly anchor: HTMLElement
  /** The element below which it is shown, if not the anchor. */
  readonly at?: HTMLElement
  /** Finds the element that is focused when it opens. */
  readonly first: (opened: HTMLElement) => HTMLElement | null | undefined
  /** Whether a key closes it, in addition to Escape. */
  readonly closesOn?: (event: KeyboardEvent) => boolean
  readonly onClose: () => void
  readonly onBlur?: FocusEventHandler<HTMLDivElement>
  readonly children: ReactNode
}

/**
 * A dialog with a calendar, below the element that opened it: keys do not reach the page behind it, and Escape closes
 * only the dialog.
 */
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
