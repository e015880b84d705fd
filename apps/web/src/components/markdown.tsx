import { lazy, Suspense } from 'react'

const Rendered = lazy(() => import('./markdown-rendered.tsx'))

export interface MarkdownProps {
  readonly text: string
  /** Turns a box of its task lists, by its place among them; without it they cannot be ticked. Fails where it was refused. */
  readonly onTick?: ((place: number) => Promise<void>) | undefined
}

/** A text that a person or agent wrote, as Markdown; plain until the renderer is there. */
export const Markdown = (markdown: MarkdownProps) => (
  <Suspense fallback={<p className="markdown plain-text">{markdown.text}</p>}>
    <Rendered {...markdown} />
  </Suspense>
)
