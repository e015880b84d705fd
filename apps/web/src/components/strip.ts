import { type RefObject, useEffect } from 'react'
import './strip.css'

/** What is less than this beside a strip, px, is no more than a line's width. */
const minOverflow = 2

/**
 * A row that scrolls sideways where it is too long: its edge fades on each side where there is more, and what is current in it
 * comes into sight.
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
    const shown = strip.querySelector<HTMLElement>('[aria-current]')
    if (shown !== null) strip.scrollLeft = shown.offsetLeft - (strip.clientWidth - shown.offsetWidth) / 2
  }, [row, current])
}
