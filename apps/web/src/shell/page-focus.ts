import { useEffect, useRef } from 'react'

/**
 * Focuses the heading of each page after a navigation, so that screen readers continue there (web 2). Pages and dialogs
 * that take the focus themselves keep it; the first page of a tab is announced by its title.
 */
export function usePageFocus(location: string): void {
  const at = useRef(location)
  useEffect(() => {
    if (at.current === location) return
    at.current = location
    const content = document.getElementById('content')!
    let frame = 0
    // Its script may still be loading.
    const arrival = new MutationObserver(() => lookOnceDrawn())
    const look = () => {
      const heading = content.querySelector<HTMLElement>('h1')
      if (heading === null) return
      arrival.disconnect()
      const active = document.activeElement
      if (content.contains(active) || active?.closest('dialog') != null) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    // A menu or the palette that led here returns the focus when it closes, which is before the next frame.
    const lookOnceDrawn = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    arrival.observe(content, { childList: true, subtree: true })
    lookOnceDrawn()
    return () => {
      arrival.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [location])
}
