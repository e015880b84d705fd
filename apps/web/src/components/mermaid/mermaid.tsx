import { useEffect, useState } from 'react'
import { onReconnect } from '../../later.ts'
import { messages } from '../../messages/messages.ts'
import { NotationText } from '../notation-text.tsx'
import type { Drawing } from './draw.ts'

const texts = messages.architecture

interface MermaidProps {
  readonly text: string
  readonly label: string
}

const addressOf = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`

/** The pictures of a notation; null if they cannot be drawn. */
function drawn(draw: (text: string) => Drawing, text: string): Drawing | null {
  try {
    return draw(text)
  } catch {
    return null
  }
}

/** The pictures of a notation: undefined until they are drawn, null if they cannot be. */
function useDrawing(text: string): Drawing | null | undefined {
  const [latest, setLatest] = useState<{ readonly text: string; readonly drawing: Drawing | null }>()
  useEffect(() => {
    let isShown = true
    const show = (drawing: Drawing | null) => isShown && setLatest({ text, drawing })
    const read = () =>
      void import('./draw.ts').then(
        ({ draw }) => show(drawn(draw, text)),
        // It is shown as text until the script that draws it has loaded.
        () => {},
      )
    read()
    const end = onReconnect(read)
    return () => {
      isShown = false
      end()
    }
  }, [text])
  return latest?.text === text ? latest.drawing : undefined
}

/**
 * A Mermaid diagram: drawn as an image, in which nothing runs or loads, with its text behind a switch; otherwise its
 * text.
 */
export function Mermaid({ text, label }: MermaidProps) {
  const drawing = useDrawing(text)
  const [isBroken, setIsBroken] = useState(false)
  if (drawing === null || isBroken)
    return (
      <div className="mermaid">
        <p className="muted">{texts.notDrawn}</p>
        <NotationText text={text} label={label} />
      </div>
    )
  if (drawing === undefined) return <NotationText text={text} label={label} />
  return (
    <div className="mermaid">
      <picture>
        <source media="(prefers-color-scheme: dark)" srcSet={addressOf(drawing.dark)} />
        <img alt={label} src={addressOf(drawing.light)} onError={() => setIsBroken(true)} />
      </picture>
      <details>
        <summary>{texts.notation}</summary>
        <NotationText text={text} label={label} />
      </details>
    </div>
  )
}
