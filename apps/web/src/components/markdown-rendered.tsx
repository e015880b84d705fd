import type { Token } from 'marked'
import { type MouseEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { attachmentAt } from '../address.ts'
import { useKeysOfBoards } from '../data/boards.ts'
import { messages } from '../messages/messages.ts'
import { read, rendered, sanitised } from './markdown-html.ts'
import type { MarkdownProps } from './markdown-props.ts'
import { Mermaid } from './mermaid/mermaid.tsx'
import { TextAttachment } from './text-attachment.tsx'
import './markdown.css'

/** A segment of a text: HTML or a Mermaid diagram. */
type Part = { readonly html: string } | { readonly diagram: string }

/** The notation of a Mermaid fence; undefined for everything else. */
const diagramIn = (token: Token): string | undefined =>
  token.type === 'code' && /^mermaid\b/.test(token.lang ?? '') ? token.text : undefined

/** The parts of a text, in order, and which of its boxes are ticked. Without a diagram, it is one part. */
function partsOf(text: string, isTickable: boolean, keys: ReadonlySet<string>) {
  const { tokens, boxes } = read(text)
  const parts: Part[] = []
  let between: Token[] = []
  const endBetween = () => {
    if (between.length > 0) parts.push({ html: sanitised(rendered(between, { isTickable, keys })) })
    between = []
  }
  for (const token of tokens) {
    const diagram = diagramIn(token)
    if (diagram === undefined) {
      between.push(token)
      continue
    }
    endBetween()
    parts.push({ diagram })
  }
  endBetween()
  return { parts, ticks: boxes.map(({ isTicked }) => isTicked) }
}

const boxesIn = (element: Element): HTMLInputElement[] => [
  ...element.querySelectorAll<HTMLInputElement>('.markdown input[type="checkbox"]'),
]

/** A sanitised part of a text, with the attachments that it names. */
function Html({ html }: { readonly html: string }) {
  const root = useRef<HTMLDivElement>(null)
  const [links, setLinks] = useState<readonly HTMLAnchorElement[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the links are those of this HTML
  useLayoutEffect(() => {
    const all = [...root.current!.querySelectorAll('a')]
    const named = all.filter(link => attachmentAt(link.getAttribute('href') ?? '') !== undefined)
    setLinks(before => (before.length === 0 && named.length === 0 ? before : named))
  }, [html])
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised where the parts are made */}
      <div ref={root} className="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
      {links.map((link, index) => {
        // Links have no identity but their index.
        const key = `${index}`
        return <TextAttachment key={key} link={link} />
      })}
    </>
  )
}

export default function MarkdownRendered({ text, onTick }: MarkdownProps) {
  const isTickable = onTick !== undefined
  const keys = useKeysOfBoards()
  const { parts, ticks } = useMemo(() => partsOf(text, isTickable, keys), [text, isTickable, keys])
  const tick = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    if (onTick === undefined || !(target instanceof HTMLInputElement)) return
    const place = boxesIn(currentTarget).indexOf(target)
    const { checked } = target
    // A refused tick leaves the box as it was.
    onTick(place).catch(() => {
      target.checked = !checked
    })
  }
  // A saved tick leaves the boxes in place. If the text changes in any other way, they are rendered again, and the
  // focused box then gets the focus back.
  const root = useRef<HTMLDivElement>(null)
  const focused = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (root.current === null) return
    const boxes = boxesIn(root.current)
    for (const [place, box] of boxes.entries()) box.checked = ticks[place] ?? false
    if (focused.current !== undefined && document.activeElement === document.body) boxes[focused.current]?.focus()
  }, [ticks])
  const elements = parts.map((part, index) => {
    // Parts have no identity but their index.
    const key = `${index}`
    if ('diagram' in part) return <Mermaid key={key} text={part.diagram} label={messages.architecture.diagram} />
    return <Html key={key} html={part.html} />
  })
  if (!isTickable) return elements
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
      {elements}
    </div>
  )
}
