import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { useMemo } from 'react'
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

const htmlOf = (text: string): string => purify.sanitize(marked.parse(text, { async: false }), allowed)

export default function MarkdownRendered({ text }: { readonly text: string }) {
  const html = useMemo(() => htmlOf(text), [text])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised just above
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />
}
