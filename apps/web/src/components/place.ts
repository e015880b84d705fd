const gap = 4

/** Places a popover below an element, or above it, entirely on the screen. */
export function placeAt(opened: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect()
  const { width, height } = opened.getBoundingClientRect()
  const below = at.bottom + gap + height <= innerHeight
  opened.style.top = `${below ? at.bottom + gap : Math.max(gap, at.top - gap - height)}px`
  opened.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - width - gap))}px`
}
