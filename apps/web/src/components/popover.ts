import { type RefObject, useEffect, useRef } from 'react'
import { placeAt } from './place.ts'

/** Selects an open popover that handles keys, which notices and link previews do not. */
export const openPopover = '[popover]:not(.toasts, .reference-card):popover-open'

/**
 * Shows an element with `popover="auto"` at an anchor as long as it is rendered. Escape and a press outside close it;
 * the focus then returns to the anchor, unless it is elsewhere already.
 * @param first finds the element that is focused when it opens
 * @param at the element below which it is shown, if not the anchor
 */
export function usePopover(
  element: RefObject<HTMLElement | null>,
  anchor: HTMLElement,
  onClose: () => void,
  first: (opened: HTMLElement) => HTMLElement | null | undefined,
  at = anchor,
): void {
  const current = useRef({ onClose, first })
  current.current = { onClose, first }
  useEffect(() => {
    const opened = element.current!
    opened.showPopover()
    placeAt(opened, at)
    current.current.first(opened)?.focus()
    const onToggle = (event: ToggleEvent) => {
      if (event.newState === 'closed') current.current.onClose()
    }
    opened.addEventListener('toggle', onToggle)
    const resized = new ResizeObserver(() => placeAt(opened, at))
    resized.observe(opened)
    return () => {
      resized.disconnect()
      opened.removeEventListener('toggle', onToggle)
      if (anchor.isConnected && (document.activeElement === document.body || opened.contains(document.activeElement)))
        anchor.focus()
    }
  }, [element, anchor, at])
}
