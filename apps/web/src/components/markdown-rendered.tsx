import type { Token } from 'marked'
import { type MouseEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { messages } from '../messages/messages.ts'
import { read, rendered, sanitised } from './markdown-html.ts'
import type { MarkdownProps } from './markdown-props.ts'
import { Mermaid } from './mermaid/mermaid.tsx'
import './markdown.css'

/** A stretch of a text: as HTML, or a Mermaid diagram. */
type Part = { readonly html: string } | { readonly diagram: string }

/** The notation in a fence; undefined of everything else. */
const diagramIn = (token: Token): string | undefined =>
  token.type === 'code' && /^mermaid\b/.test(token.lang ?? '') ? token.text : undefined

/** The parts of a text, in their order. Where no diagram is, it is one. */
function partsOf(text: string, isTickable: boolean): Part[] {
  const parts: Part[] = []
  let between: Token[] = []
  const endBetween = () => {
    if (between.length > 0) parts.push({ html: sanitised(rendered(between, isTickable)) })
    between = []
  }
  for (const token of read(text).tokens) {
    const diagram = diagramIn(token)
    if (diagram === undefined) {
      between.push(token)
      continue
    }
    endBetween()
    parts.push({ diagram })
  }
  endBetween()
  return parts
}

const boxesIn = (element: Element): HTMLInputElement[] => [
  ...element.querySelectorAll<HTMLInputElement>('.markdown input[type="checkbox"]'),
]

export default function MarkdownRendered({ text, onTick }: MarkdownProps) {
  const isTickable = onTick !== undefined
  const parts = useMemo(() => partsOf(text, isTickable), [text, isTickable])
  const tick = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    if (onTick === undefined || !(target instanceof HTMLInputElement)) return
    const place = boxesIn(currentTarget).indexOf(target)
    const { checked } = target
    // What was refused stands there as it was.
    onTick(place).catch(() => {
      target.checked = !checked
    })
  }
  // The boxes are drawn anew when the text changes; the one that had the focus has it again.
  const root = useRef<HTMLDivElement>(null)
  const focused = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts say when the boxes are others
  useLayoutEffect(() => {
    if (root.current === null || focused.current === undefined || document.activeElement !== document.body) return
    boxesIn(root.current)[focused.current]?.focus()
  }, [parts])
  const shown = parts.map((part, index) => {
    // Parts have nothing but their place.
    const key = `${index}`
    if ('diagram' in part) return <Mermaid key={key} text={part.diagram} label={messages.architecture.diagram} />
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised just above
    return <div key={key} className="markdown" dangerouslySetInnerHTML={{ __html: part.html }} />
  })
  if (!isTickable) return shown
  return (
    // biome-ignore lint/a11y: a box that is pressed, by a key too, sends a click
    <div
      ref={root}
      onClick={tick}
      onFocus={({ target, currentTarget }) => {
        focused.current = target instanceof HTMLInputElement ? boxesIn(currentTarget).indexOf(target) : undefined
      }}
      onBlur={() => {
        focused.current = undefined
      }}
    >
      {shown}
    </div>
  )
}
