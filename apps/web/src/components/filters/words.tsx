import type { Ref } from 'react'
import { Icon } from '../icon.tsx'
import './filters.css'

interface FilterWordsProps {
  /** The field, to be focused by a key. */
  readonly ref?: Ref<HTMLInputElement>
  /** What it searches, for screen readers. */
  readonly label: string
  /** The placeholder, if it is not the label. */
  readonly placeholder?: string
  readonly words: string
  readonly onType: (words: string) => void
}

/** The search field of a filter bar. */
export const FilterWords = ({ ref, label, placeholder = label, words, onType }: FilterWordsProps) => (
  <span className="filter-text">
    <Icon name="search" />
    <input
      ref={ref}
      className="input"
      type="search"
      name="q"
      aria-label={label}
      placeholder={placeholder}
      value={words}
      onChange={event => onType(event.target.value)}
    />
  </span>
)
