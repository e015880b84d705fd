import GithubSlugger from 'github-slugger'
import { lexer, type Token, walkTokens } from 'marked'

/** A heading of a page, with the facts about its section that citations need. */
export interface Heading {
  /** The number that it begins with (`4.2`, `A.3`, `12`); null without one. */
  readonly number: string | null
  /** Its text without the number. */
  readonly title: string
  /** What a link appends to the page to lead here, without `#`. */
  readonly anchor: string
  /** How many items the longest numbered list below it has. */
  readonly items: number
}

/** A page of documentation. */
export interface MarkdownPage {
  readonly headings: readonly Heading[]
  /** The targets of its links, as written. */
  readonly links: readonly string[]
}

/** `4. Title`, `A. Title`, `4.2 Title` and `A.3 Title`; "409 codes" has no number. */
const numbered = /^(?:(\d+|[A-Z])\.|(\d+\.\d+|[A-Z]\.\d+)) (.+)$/

/** Reads a page of Markdown, with the anchors that GitHub gives its headings. */
export function markdownPage(text: string): MarkdownPage {
  const slugger = new GithubSlugger()
  const headings: Heading[] = []
  const links: string[] = []
  const tokens = lexer(text)
  for (const token of tokens) {
    if (token.type === 'heading') {
      const plain = plainText(token.tokens ?? [])
      const [, top, below, title] = numbered.exec(plain) ?? []
      headings.push({ number: top ?? below ?? null, title: title ?? plain, anchor: slugger.slug(plain), items: 0 })
    } else if (token.type === 'list' && token.ordered && headings.length > 0) {
      const heading = headings.pop()!
      headings.push({ ...heading, items: Math.max(heading.items, token.items.length) })
    }
  }
  walkTokens(tokens, token => {
    if (token.type === 'link' || token.type === 'image') links.push(token.href)
  })
  return { headings, links }
}

const plainText = (tokens: readonly Token[]): string =>
  tokens.map(token => ('tokens' in token && token.tokens ? plainText(token.tokens) : entities(token))).join('')

/** The text of a token, in which marked has already escaped `&`, `<` and `>`. */
const entities = (token: Token): string => ('text' in token ? String(token.text) : token.raw)
