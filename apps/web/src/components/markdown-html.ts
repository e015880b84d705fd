import DOMPurify from 'dompurify'
import { Marked, type Token, type Tokens } from 'marked'

/** Where a link may lead: to the web, to a mailbox, or within the service. */
const addresses = /^(?:https?:|mailto:|\/(?!\/)|#)/i

const attributes = ['href', 'title', 'rel', 'target', 'start', 'align', 'type', 'checked', 'disabled', 'aria-label']

/** What the renderer makes and nothing else: nothing that runs, loads from elsewhere, or takes the page's own styles and names. */
const allowed = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'blockquote', 'pre', 'code', 'em', 'strong', 'del', 'a', 'ul', 'ol', 'li', 'input'],
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: attributes,
  // Only of an address is asked where it leads: a number or a box is none.
  ADD_URI_SAFE_ATTR: attributes.filter(name => name !== 'href'),
  ALLOWED_URI_REGEXP: addresses,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
}

const purify = DOMPurify(window)
purify.addHook('afterSanitizeAttributes', node => {
  if (node.tagName === 'A') {
    node.setAttribute('rel', 'noopener noreferrer nofollow')
    if (/^https?:/i.test(node.getAttribute('href') ?? '')) node.setAttribute('target', '_blank')
  }
  if (node.tagName === 'INPUT' && node.getAttribute('type') !== 'checkbox') node.remove()
})

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A text as an attribute, without what ends a comment or an element where it is read as something else. */
const attribute = (text: string): string => escaped(text.replaceAll(/--!?>|\]>|<\//g, ' ').trim())

/** An address as a link has it; undefined of one that leads nowhere that is allowed. */
function addressIn(href: string): string | undefined {
  try {
    const address = encodeURI(href).replaceAll('%25', '%')
    return addresses.test(address) ? address : undefined
  } catch {
    return undefined
  }
}

function linkTo(href: string, title: string | null | undefined, html: string): string {
  const address = addressIn(href)
  if (address === undefined) return html
  const target = /^https?:/i.test(address) ? ' target="_blank"' : ''
  const says = title === null || title === undefined || title === '' ? '' : ` title="${attribute(title)}"`
  return `<a href="${escaped(address)}"${says} rel="noopener noreferrer nofollow"${target}>${html}</a>`
}

/** What each box of a task list is for, by its token. */
const labels = new WeakMap<object, string>()

/** HTML in a text is text, and a picture its address: nothing is loaded because somebody wrote it. */
const markedWith = (isTickable: boolean): Marked =>
  new Marked({
    breaks: true,
    renderer: {
      html: ({ text }) => escaped(text),
      image: ({ href, title, text }) => linkTo(href, title, escaped(text === '' ? href : text)),
      link({ href, title, tokens }) {
        return linkTo(href, title, this.parser.parseInline(tokens))
      },
      code: ({ text }) => `<pre><code>${escaped(text)}\n</code></pre>\n`,
      checkbox(token) {
        const label = attribute(labels.get(token) ?? '')
        const state = isTickable ? '' : `${token.checked ? ' checked=""' : ''} disabled=""`
        return `<input type="checkbox"${state} aria-label="${label}"> `
      },
    },
  })

/** Boxes that can be ticked are drawn without their ticks, which change while the text around them stays. */
const marked = { tickable: markedWith(true), fixed: markedWith(false) }

/** A box of a task list: whether it is ticked, and what it is for. */
export interface Box {
  readonly isTicked: boolean
  readonly label: string
}

const isItem = (token: Token): token is Tokens.ListItem => token.type === 'list_item'

const isBox = (token: Token): token is Tokens.Checkbox => token.type === 'checkbox'

/** The tokens of a text, with the boxes of its task lists in their order. */
export function read(text: string): { readonly tokens: Token[]; readonly boxes: readonly Box[] } {
  const tokens = marked.fixed.lexer(text)
  const boxes: Box[] = []
  let label = ''
  marked.fixed.walkTokens(tokens, token => {
    if (isItem(token)) label = token.text.replace(/^\[[ xX]\]\s*/, '').split('\n')[0]!
    if (!isBox(token)) return
    labels.set(token, label)
    boxes.push({ isTicked: token.checked, label })
  })
  return { tokens, boxes }
}

/** What the renderer makes of tokens, as it leaves it. */
export const rendered = (tokens: Token[], isTickable = false): string =>
  marked[isTickable ? 'tickable' : 'fixed'].parser(tokens)

/** What is shown of HTML. */
export const sanitised = (html: string): string => purify.sanitize(html, allowed)
