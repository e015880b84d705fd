import DOMPurify from 'dompurify'
import { Marked, type Token } from 'marked'
import { useMemo } from 'react'
import { messages } from '../messages/messages.ts'
import { Mermaid } from './mermaid/mermaid.tsx'
import './markdown.css'

/** Nothing that runs, loads from elsewhere, or takes the page's own styles and names. */
const allowed = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'blockquote', 'pre', 'code', 'em', 'strong', 'del', 'a', 'ul', 'ol', 'li', 'input'],
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'start', 'type', 'checked', 'disabled'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/)|#)/i,
}

const purify = DOMPurify(window)
purify.addHook('afterSanitizeAttributes', node => {
  if (node.tagName === 'A') {
    node.setAttribute('rel', 'noopener noreferrer nofollow')
    if (/^https?:/i.test(node.getAttribute('href') ?? '')) node.setAttribute('target', '_blank')
  }
  if (node.tagName === 'INPUT') {
    if (node.getAttribute('type') === 'checkbox') node.setAttribute('disabled', '')
    else node.remove()
  }
})

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** HTML in a text is text, and a picture its address: nothing is loaded because somebody wrote it. */
const marked = new Marked({
  breaks: true,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text === '' ? href : text)}</a>`,
  },
})

const htmlOf = (tokens: Token[]): string => purify.sanitize(marked.parser(tokens), allowed)

/** A stretch of a text: as HTML, or a Mermaid diagram. */
type Part = { readonly html: string } | { readonly diagram: string }

/** The notation in a fence; undefined of everything else. */
const diagramIn = (token: Token): string | undefined =>
  token.type === 'code' && /^mermaid\b/.test(token.lang ?? '') ? token.text : undefined

/** The parts of a text, in their order. Where no diagram is, it is one. */
function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let between: Token[] = []
  const endBetween = () => {
    if (between.length > 0) parts.push({ html: htmlOf(between) })
    between = []
  }
  for (const token of marked.lexer(text)) {
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

export default function MarkdownRendered({ text }: { readonly text: string }) {
  const parts = useMemo(() => partsOf(text), [text])
  return parts.map((part, index) => {
    // Parts have nothing but their place.
    const key = `${index}`
    if ('diagram' in part) return <Mermaid key={key} text={part.diagram} label={messages.architecture.diagram} />
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised just above
    return <div key={key} className="markdown" dangerouslySetInnerHTML={{ __html: part.html }} />
  })
}
