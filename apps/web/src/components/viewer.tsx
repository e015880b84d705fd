import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { number } from '../messages/format.ts'
import { messages } from '../messages/messages.ts'
import { Dialog } from './dialog.tsx'
import { IconButton } from './icon-button.tsx'
import './viewer.css'

const texts = messages.viewer

/** The zoom levels; 1 fits it to the window. */
const scales = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4] as const
const whole = scales.indexOf(1)

interface ViewerProps {
  readonly title: string
  /** Controls to save it, next to the zoom. */
  readonly save: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A picture or a mockup over the whole page, zoomed by buttons and by the keys + and -; 0 fits it to the window. */
export default function Viewer({ title, save, onClose, children }: ViewerProps) {
  const viewport = useRef<HTMLElement>(null)
  const [scale, setScale] = useState(whole)
  const factor = scales[scale]!
  useLayoutEffect(() => viewport.current!.style.setProperty('--scale', String(factor)), [factor])
  const by = (steps: number) => setScale(now => Math.max(0, Math.min(now + steps, scales.length - 1)))
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === '+' || event.key === '=') by(1)
      else if (event.key === '-') by(-1)
      else if (event.key === '0') setScale(whole)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  const tools = (
    <>
      <IconButton
        icon="minus"
        label={texts.smaller}
        title={texts.smaller}
        disabled={scale === 0}
        onClick={() => by(-1)}
      />
      <button
        type="button"
        className="button quiet numbers viewer-scale"
        title={texts.all}
        onClick={() => setScale(whole)}
      >
        <span className="hidden">{texts.all} </span>
        <span aria-live="polite">{texts.percent(number(factor * 100))}</span>
      </button>
      <IconButton
        icon="plus"
        label={texts.larger}
        title={texts.larger}
        disabled={scale === scales.length - 1}
        onClick={() => by(1)}
      />
      <span className="bar-line" />
      {save}
    </>
  )
  return (
    <Dialog kind="full" title={title} actions={tools} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section ref={viewport} className="viewer" aria-label={title} tabIndex={0} data-first="">
        {children}
      </section>
    </Dialog>
  )
}
