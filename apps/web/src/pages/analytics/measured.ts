import { type RefObject, useEffect, useState } from 'react'

/** The width of an element, px, as it changes; 0 until it is known. */
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

/** Steps that people count in. */
const niceSteps = [1, 2, 5]

/** About how many lines a scale has. */
const lines = 4

/** Values of a scale from 0 up to what covers the greatest value, in steps that people count in. */
export function ticksTo(most: number): readonly number[] {
  const rough = Math.max(1, most) / lines
  const power = 10 ** Math.max(0, Math.floor(Math.log10(rough)))
  const step = (niceSteps.find(nice => nice * power >= rough) ?? 10) * power
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, place) => place * step)
}
