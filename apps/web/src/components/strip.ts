import { type RefObject, useEffect } from 'react'
import './strip.css'

/** Overflow below this is only rounding, px. */
const minOverflow = 2

/**
 * A row that scrolls sideways if it is too long: its edges fade on the sides where there is more, and its current item is scrolled into view.
 * @param current what changes when something else in the row becomes current
 */
export function useStrip(row: RefObject<HTMLElement | null>, current?: unknown): void {
  useEffect(() => {
    const strip = row.current!
    const look = () => {
      const beyond = strip.scrollWidth - strip.clientWidth
      const [before, after] = [Math.abs(strip.scrollLeft), beyond - Math.abs(strip.scrollLeft)]
      strip.dataset.more = [before >= minOverflow && 'start', after >= minOverflow && 'end'].filter(Boolean).join(' ')
    }
    const sized = new ResizeObserver(look)
    const watch = () => {
      sized.disconnect()
      for (const element of [strip, ...strip.children]) sized.observe(element)
    }
    const filled = new MutationObserver(watch)
    look()
    watch()
    filled.observe(strip, { childList: true })
    strip.addEventListener('scroll', look, { passive: true })
    return () => {
      sized.disconnect()
      filled.disconnect()
      strip.removeEventListener('scroll', look)
    }
  }, [row])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is current comes into sight whenever it is something else
  useEffect(() => {
    const strip = row.current!
    const currentItem = strip.querySelector<HTMLElement>('[aria-current]')
    if (currentItem !== null)
      strip.scrollLeft = currentItem.offsetLeft - (strip.clientWidth - currentItem.offsetWidth) / 2
  }, [row, current])
}
