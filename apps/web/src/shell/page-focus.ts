import { useEffect, useRef } from 'react'

/**
 * Gives the focus to the heading of each page that is gone to, where a screen reader goes on (web 2). A page that takes
 * the focus itself keeps it, and so do dialogs; the page that a tab begins with is read out by its title.
 */
export function usePageFocus(location: string): void {
  const at = useRef(location)
  useEffect(() => {
    if (at.current === location) return
    at.current = location
    const content = document.getElementById('content')!
    let frame = 0
    // Its script may still be on its way.
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
    // A menu or the palette that led here gives the focus back when it closes, before the next frame.
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
