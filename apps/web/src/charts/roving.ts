import type { KeyboardEvent } from 'react'

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => Math.min(at + 1, last),
  ArrowLeft: at => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * Moves the focus among the marks of a chart by arrow keys, Home and End. Together, the marks are a single Tab stop:
 * the mark with `tabIndex={0}`.
 */
export function rove(event: KeyboardEvent<SVGSVGElement>): void {
  const step = steps[event.key]
  if (step === undefined) return
  const marks = [...event.currentTarget.querySelectorAll<SVGAElement>('a[href]')]
  const at = marks.indexOf(document.activeElement as SVGAElement)
  if (at === -1) return
  event.preventDefault()
  marks[step(at, marks.length - 1)]?.focus()
}
