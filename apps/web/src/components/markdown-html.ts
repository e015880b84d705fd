import DOMPurify from 'dompurify'
import { Marked, Renderer, type Token, type Tokens } from 'marked'
import { addressOfRef, attachmentAt } from '../address.ts'
import { basePath } from '../base-path.ts'
import { piecesOf } from './references-in.ts'

/** Where a link may lead: to the web, to an email address, or within the service. */
const addresses = /^(?:https?:|mailto:|\/(?!\/)|#)/i

const attributes = ['href', 'title', 'rel', 'target', 'start', 'align', 'type', 'checked', 'disabled', 'aria-label']

/**
 * What the renderer produces and nothing else: nothing that runs, loads from elsewhere, or uses the page's own styles
 * and names.
 */
const allowed = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'blockquote', 'pre', 'code', 'em', 'strong', 'del', 'a', 'ul', 'ol', 'li', 'input'],
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: attributes,
  // Only `href` is checked as an address; the other attributes hold numbers and the like.
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

/**
 * A text escaped as an attribute, without anything that could end a comment or an element in another parsing context.
 */
const attribute = (text: string): string => escaped(text.replaceAll(/--!?>|\]>|<\//g, ' ').trim())

/** The address of a link; undefined if links may not lead there. */
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

/** A picture that the service keeps: an empty link with its description, into which the pages draw it. */
const pictureAt = (href: string, title: string | null, text: string): string =>
  linkTo(href, title, '').replace('<a ', () => `<a aria-label="${attribute(text) || href}" `)

/** The label of each box of a task list, by its token. */
const labels = new WeakMap<object, string>()

/** The address of a reference, as used in a link. */
const linkedAddress = (ref: string): string => basePath + addressOfRef(ref)

const plain = new Renderer()

const plainText = (text: string): string => plain.text({ type: 'text', raw: text, text })

/** A text whose references to records of the given boards are links; undefined if it has none. */
function withReferences(text: string, keys: ReadonlySet<string>): string | undefined {
  const pieces = piecesOf(text, keys)
  if (!pieces.some(({ isReference }) => isReference)) return undefined
  return pieces
    .map(piece => (piece.isReference ? linkTo(linkedAddress(piece.text), null, piece.text) : plainText(piece.text)))
    .join('')
}

/**
 * HTML in a text is shown as text, and a picture as its address unless the service keeps it, so that a text can never
 * load anything from elsewhere. A reference is a link if it begins with one of the keys and is not inside code, an
 * address or another link.
 */
function markedWith(isTickable: boolean, keys: ReadonlySet<string>): Marked {
  let isInLink = false
  return new Marked({
    breaks: true,
    renderer: {
      html: ({ text }) => escaped(text),
      image: ({ href, title, text }) =>
        attachmentAt(href) === undefined
          ? linkTo(href, title, escaped(text === '' ? href : text))
          : pictureAt(href, title, text),
      link({ href, title, tokens }) {
        isInLink = true
        const html = this.parser.parseInline(tokens)
        isInLink = false
        return linkTo(href, title, html)
      },
      text(token) {
        if (isInLink || 'tokens' in token || ('escaped' in token && token.escaped)) return false
        return withReferences(token.text, keys) ?? false
      },
      code: ({ text }) => `<pre><code>${escaped(text)}\n</code></pre>\n`,
      checkbox(token) {
        const label = attribute(labels.get(token) ?? '')
        const state = isTickable ? '' : `${token.checked ? ' checked=""' : ''} disabled=""`
        return `<input type="checkbox"${state} aria-label="${label}"> `
      },
    },
  })
}

const noKeys: ReadonlySet<string> = new Set()

const reader = markedWith(false, noKeys)

/** A box of a task list: whether it is ticked, and its label. */
export interface Box {
  readonly isTicked: boolean
  readonly label: string
}

const isItem = (token: Token): token is Tokens.ListItem => token.type === 'list_item'

const isBox = (token: Token): token is Tokens.Checkbox => token.type === 'checkbox'

/** The tokens of a text, with the boxes of its task lists in order. */
export function read(text: string): { readonly tokens: Token[]; readonly boxes: readonly Box[] } {
  const tokens = reader.lexer(text)
  const boxes: Box[] = []
  let label = ''
  reader.walkTokens(tokens, token => {
    if (isItem(token)) label = token.text.replace(/^\[[ xX]\]\s*/, '').split('\n')[0]!
    if (!isBox(token)) return
    labels.set(token, label)
    boxes.push({ isTicked: token.checked, label })
  })
  return { tokens, boxes }
}

interface Rendering {
  /** Boxes that can be ticked are rendered without their ticks, which change while the text around them stays. */
  readonly isTickable?: boolean
  /** The keys of the boards whose references are links. */
  readonly keys?: ReadonlySet<string>
}

/** The unsanitised HTML of tokens. */
export const rendered = (tokens: Token[], { isTickable = false, keys = noKeys }: Rendering = {}): string =>
  markedWith(isTickable, keys).parser(tokens)

/** The HTML that is shown. */
export const sanitised = (html: string): string => purify.sanitize(html, allowed)
