import { posix } from 'node:path'
import GithubSlugger from 'github-slugger'
import { Marked, type Token, type Tokens } from 'marked'
import type { GuidePage } from './contents.ts'
import { escapeHtml } from './html.ts'

/** A part of a page that a search may find: a heading and the text below it. */
export interface Section {
  readonly heading: string
  /** Empty above the first heading. */
  readonly anchor: string
  readonly text: string
}

/** A page of Markdown as HTML. */
export interface RenderedPage {
  readonly html: string
  readonly sections: readonly Section[]
}

/** Where the guide is served. */
export const base = '/docs/guide/'

/** How the addresses in a page are resolved. */
export interface Targets {
  /** The pages of the guide, by their source. */
  readonly pages: ReadonlyMap<string, GuidePage>
  /** Called with the path of each other file that a page links to; returns the file's address. */
  fileAddress(path: string): string
}

/** Renders a page as GitHub shows it, with links between pages turned into those of the guide. */
export function renderPage(text: string, source: string, targets: Targets): RenderedPage {
  const slugger = new GithubSlugger()
  const anchors = new Map<Token, string>()
  const tokens = new Marked().lexer(text)
  for (const token of tokens) if (token.type === 'heading') anchors.set(token, slugger.slug(plainText(token)))

  /** The address that a link of the page has in the guide. */
  const addressOf = (href: string): string => {
    if (/^(?:[a-z]+:|#)/.test(href)) return href
    const [path, anchor] = href.split('#', 2) as [string, string?]
    const target = posix.join(posix.dirname(source), path)
    const page = targets.pages.get(target)
    const address = page === undefined ? targets.fileAddress(target) : `${base}${page.path}`
    return anchor === undefined ? address : `${address}#${anchor}`
  }

  const marked = new Marked({
    renderer: {
      heading(token) {
        const { tokens: parts, depth } = token
        const anchor = anchors.get(token)
        const inner = this.parser.parseInline(parts)
        if (anchor === undefined || depth === 1) return `<h${depth} id="${anchor ?? ''}">${inner}</h${depth}>\n`
        const label = escapeHtml(`Link to “${plainText(token)}”`)
        return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="${label}">#</a></h${depth}>\n`
      },
      link({ href, tokens: parts }) {
        const outside = /^[a-z]+:/.test(href) ? ' rel="noopener"' : ''
        return `<a href="${escapeHtml(addressOf(href))}"${outside}>${this.parser.parseInline(parts)}</a>`
      },
      image({ href, text: alt }) {
        return `<img src="${escapeHtml(addressOf(href))}" alt="${escapeHtml(alt)}" loading="lazy">`
      },
      code({ text: code, lang = '' }) {
        const [language = ''] = lang.split(' ')
        const transitions = language === 'mermaid' ? stateTable(code) : undefined
        return transitions ?? `<pre tabindex="0"><code>${escapeHtml(code)}\n</code></pre>\n`
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map(({ tokens: parts }) => `<${tag}>${this.parser.parseInline(parts)}</${tag}>`).join('')}</tr>`
        const head = token.header.some(({ text: cell }) => cell !== '')
          ? `<thead>${row(token.header, 'th')}</thead>`
          : ''
        const body = token.rows.map(cells => row(cells, 'td')).join('\n')
        return `<div class="table" role="group" tabindex="0" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`
      },
      // Comments are for editors of the page; pages contain no other HTML.
      html: ({ text: html }) => (/^<!--/.test(html) ? '' : escapeHtml(html)),
    },
  })
  return { html: marked.parser(tokens), sections: sectionsOf(tokens, anchors) }
}

/** A state diagram as a table of the states and the transitions from each; undefined for any other kind of diagram. */
function stateTable(diagram: string): string | undefined {
  if (!diagram.startsWith('stateDiagram')) return undefined
  const moves = Array.from(diagram.matchAll(/^ *(\w+) --> (\w+)(?: : (.+))?$/gm), ([, from, to, gate]) => ({
    from: from!,
    to: gate === undefined ? to! : `${to} (${gate})`,
  }))
  const rows = [...Map.groupBy(moves, ({ from }) => from)].map(
    ([from, leads]) => `<tr><td>${from}</td><td>${escapeHtml(leads.map(({ to }) => to).join(', '))}</td></tr>`,
  )
  return `<div class="table" role="group" tabindex="0" aria-label="States"><table><thead><tr><th>From</th><th>To</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`
}

function sectionsOf(tokens: readonly Token[], anchors: ReadonlyMap<Token, string>): Section[] {
  const sections: Section[] = []
  for (const token of tokens) {
    const anchor = anchors.get(token)
    if (anchor !== undefined) sections.push({ heading: plainText(token), anchor, text: '' })
    else if (token.type !== 'html' && token.type !== 'space') {
      const last = sections.pop() ?? { heading: '', anchor: '', text: '' }
      sections.push({ ...last, text: `${last.text} ${plainText(token)}`.trim() })
    }
  }
  return sections
}

/** The text of a token without its marks. */
export function plainText(token: Token): string {
  switch (token.type) {
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows].flatMap(row => row.map(cell => cell.tokens.map(plainText).join(''))).join(' ')
    }
    case 'list':
      return (token as Tokens.List).items.map(item => item.tokens.map(plainText).join(' ')).join(' ')
    default:
      if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('')
      return 'text' in token ? String(token.text) : ''
  }
}
