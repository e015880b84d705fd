import { type RefObject, useEffect, useState } from 'react'

/** The width of an element, px, updated as it changes; 0 until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}

/** Round step sizes. */
const niceSteps = [1, 2, 5]

/** The approximate number of grid lines. */
const lines = 4

/** The ticks of a scale from 0 to above the greatest value, in round steps. */
export function ticksTo(most: number): readonly number[] {
  const rough = Math.max(1, most) / lines
  const power = 10 ** Math.max(0, Math.floor(Math.log10(rough)))
  const step = (niceSteps.find(nice => nice * power >= rough) ?? 10) * power
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, place) => place * step)
}
