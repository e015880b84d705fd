/** The event that asks a column to show one of its cards (column.tsx). */
export const showCardEvent = 'specboard-show-card'

/** Asks a column to show its card at an index, and to focus it. */
export const showAt = (column: Element, index: number): boolean =>
  column.dispatchEvent(new CustomEvent(showCardEvent, { detail: index }))
