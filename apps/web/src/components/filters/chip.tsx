import { type ReactNode, useRef } from 'react'
import { messages } from '../../messages/messages.ts'
import { Icon } from '../icon.tsx'
import { useStrip } from '../strip.ts'
import './filters.css'

const texts = messages.board.filters

/** The filters of a page in a row, which scrolls if there are many. */
export function Chips({ children }: { readonly children: ReactNode }) {
  const strip = useRef<HTMLUListElement>(null)
  useStrip(strip)
  return (
    <ul ref={strip} className="plain chips" aria-label={texts.chosen}>
      {children}
    </ul>
  )
}

interface ChipProps {
  /** The property that it filters by. */
  readonly name: string
  readonly onRemove: () => void
  readonly children: ReactNode
}

/** A filter: its parts, each a button that changes it, and a button that removes it. */
export const Chip = ({ name, onRemove, children }: ChipProps) => (
  <li className="chip">
    {children}
    <button
      type="button"
      className="chip-remove"
      aria-label={texts.remove(name)}
      title={texts.remove(name)}
      onClick={onRemove}
    >
      <Icon name="close" size={14} />
    </button>
  </li>
)

interface ChipValueProps {
  readonly name: string
  readonly says: string
  readonly onOpen: (anchor: HTMLElement) => void
  /** Before the words. */
  readonly children?: ReactNode
}

/** The value of a filter; opens a menu of its values. */
export const ChipValue = ({ name, says, onOpen, children }: ChipValueProps) => (
  <button
    type="button"
    aria-haspopup="dialog"
    aria-label={`${name}: ${says}`}
    onClick={event => onOpen(event.currentTarget)}
  >
    {children}
    <b className="truncate" dir="auto">
      {says}
    </b>
  </button>
)

interface FilterButtonProps {
  readonly isOpen: boolean
  readonly onOpen: (anchor: HTMLElement) => void
}

/** Opens the menu of filters. */
export const FilterButton = ({ isOpen, onOpen }: FilterButtonProps) => (
  <button
    type="button"
    className="button quiet"
    aria-haspopup="menu"
    aria-expanded={isOpen}
    data-key="f"
    onClick={event => onOpen(event.currentTarget)}
  >
    <Icon name="filter" />
    <span className="bar-word">{texts.filter}</span>
  </button>
)

/** Removes all filters. */
export const ClearFilters = ({ onClear }: { readonly onClear: () => void }) => (
  <button type="button" className="button quiet" aria-label={texts.clear} onClick={onClear}>
    {texts.clearThem}
  </button>
)
