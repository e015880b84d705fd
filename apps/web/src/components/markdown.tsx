import { lazy, Suspense } from 'react'

const Rendered = lazy(() => import('./markdown-rendered.tsx'))

/** A text that a person or agent wrote, as Markdown; plain until the renderer is there. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <Suspense fallback={<p className="markdown plain-text">{text}</p>}>
    <Rendered text={text} />
  </Suspense>
)
