import { useEffect, useRef } from 'react'
import { basePath } from '../base-path.ts'
import './content.css'

interface ScreenProps {
  readonly title: string
  readonly html: string
}

/**
 * A screen in a frame without scripts, forms or an origin of its own. Between it and the page stands a frame whose policy
 * lets the screen have its styles, which that of the page refuses.
 */
export function Screen({ title, html }: ScreenProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const show = () => {
    const screen = frame.current?.contentDocument?.querySelector('iframe')
    if (screen == null) return
    screen.title = title
    screen.srcdoc = html
  }
  useEffect(show, [title, html])
  return <iframe className="mockup" title={title} ref={frame} src={`${basePath}/mockup.html`} onLoad={show} />
}
