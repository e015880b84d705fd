import { type ReactNode, useRef } from 'react'
import { type Closure, useClosure } from '../data/rights.ts'
import { type Guards, noNeeds, useClosedControl } from './guarded.tsx'
import { usePopover } from './popover.ts'
import './menu.css'

interface MenuProps {
  /** What the menu is for, read out by screen readers. */
  readonly label: string
  /** The element that it opens at. */
  readonly anchor: HTMLElement
  readonly onClose: () => void
  readonly children: ReactNode
}

const itemsOf = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')]

/** A menu: arrow keys and letters move through it, Escape and a click outside close it. */
export function Menu({ label, anchor, onClose, children }: MenuProps) {
  const element = useRef<HTMLDivElement>(null)
  usePopover(element, anchor, onClose, menu => itemsOf(menu)[0])
  return (
    <div
      ref={element}
      popover="auto"
      role="menu"
      aria-label={label}
      className="menu"
      onKeyDown={event => {
        const items = itemsOf(event.currentTarget)
        const at = items.indexOf(document.activeElement as HTMLElement)
        const next = nextIndex(event.key, at, items)
        if (next !== undefined) {
          event.preventDefault()
          items[next]?.focus()
        }
        event.stopPropagation()
        if (event.key === 'Escape' || event.key === 'Tab') onClose()
      }}
    >
      {children}
    </div>
  )
}

function nextIndex(key: string, at: number, items: readonly HTMLElement[]): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % items.length
  if (key === 'ArrowUp') return (at - 1 + items.length) % items.length
  if (key === 'Home') return 0
  if (key === 'End') return items.length - 1
  if (key.length !== 1 || key === ' ') return undefined
  const after = items.findIndex((item, index) => index > at && startsWith(item, key))
  const found = after === -1 ? items.findIndex(item => startsWith(item, key)) : after
  return found === -1 ? undefined : found
}

const startsWith = (item: HTMLElement, key: string): boolean =>
  item.textContent.trim().toLowerCase().startsWith(key.toLowerCase())

interface MenuItemProps extends Guards {
  readonly onSelect: () => void
  readonly children: ReactNode
  /** Below the text: why it cannot be chosen, or what choosing it asks for. */
  readonly note?: ReactNode
  /** Choosing it only explains why it is not available. */
  readonly isDimmed?: boolean
}

/** An action in a menu. People who may not take it read below its text why, and who may. */
export function MenuItem({ needs = noNeeds, allowed, onSelect, children, note, isDimmed = false }: MenuItemProps) {
  const closure = useClosure(needs, allowed)
  if (closure !== undefined) return <ClosedItem closure={closure}>{children}</ClosedItem>
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={isDimmed ? 'menu-item dimmed' : 'menu-item'}
      onClick={onSelect}
    >
      <span className="row">{children}</span>
      {note !== undefined && <span className="menu-note">{note}</span>}
    </button>
  )
}

function ClosedItem({ closure, children }: { readonly closure: Closure; readonly children: ReactNode }) {
  const { control, says } = useClosedControl(closure)
  return (
    <button type="button" role="menuitem" tabIndex={-1} className="menu-item dimmed" {...control}>
      <span className="row">{children}</span>
      <span className="menu-note" aria-hidden="true">
        {says}
      </span>
    </button>
  )
}
