import type { MarkdownProps } from './markdown-props.ts'
import { part } from './part.tsx'

/** A text that a person or agent wrote, as Markdown; plain until the renderer has loaded. */
export const Markdown = part(
  () => import('./markdown-rendered.tsx'),
  ({ text }: MarkdownProps) => (
    <p className="markdown plain-text" dir="auto">
      {text}
    </p>
  ),
)
