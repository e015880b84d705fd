import { lazy, Suspense } from 'react'
import type { MarkdownProps } from './markdown-props.ts'

const Rendered = lazy(() => import('./markdown-rendered.tsx'))

/** A text that a person or agent wrote, as Markdown; plain until the renderer has loaded. */
export const Markdown = (markdown: MarkdownProps) => (
  <Suspense
    fallback={
      <p className="markdown plain-text" dir="auto">
        {markdown.text}
      </p>
    }
  >
    <Rendered {...markdown} />
  </Suspense>
)
