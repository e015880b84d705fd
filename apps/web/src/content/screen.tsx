import { useEffect, useRef } from 'react'
import { basePath } from '../base-path.ts'
import './content.css'

interface ScreenProps {
  readonly title: string
  readonly html: string
}

/**
 * A mockup in a sandboxed frame without scripts, forms or an origin. A frame between it and the page has a policy that
 * allows the mockup's styles, which the page's policy forbids.
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
