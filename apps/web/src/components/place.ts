const gap = 4

/** Puts what opens at an element below it, or above it, wholly on the screen. */
export function placeAt(opened: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect()
  const { width, height } = opened.getBoundingClientRect()
  const below = at.bottom + gap + height <= innerHeight
  opened.style.top = `${below ? at.bottom + gap : Math.max(gap, at.top - gap - height)}px`
  opened.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - width - gap))}px`
}
