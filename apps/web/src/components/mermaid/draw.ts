import { renderMermaidSVG } from 'beautiful-mermaid'

/** A diagram as SVG, for light pages and for dark ones. */
export interface Drawing {
  readonly light: string
  readonly dark: string
}

/** Paper and ink of each colour scheme: the page's own, which a picture cannot read from the page's styles. */
const schemes = {
  light: { bg: '#ffffff', fg: '#1b1d22' },
  dark: { bg: '#191b1f', fg: '#e8eaee' },
} as const

/** What may stand before the word that says which diagram it is: settings and comments, which are not followed. */
const preamble = /^(?:\s*(?:---\n[\s\S]*?\n---[^\S\n]*(?=\n)|%%.*))+/

/** The fonts that the library would fetch, which no picture may. */
const fetched = /^.*@import .*\n/m

/** The longest notation that is drawn: a page does not wait for more. */
const longest = 10_000

/**
 * Draws a Mermaid diagram.
 * @throws {Error} when the notation cannot be drawn
 */
export function draw(text: string): Drawing {
  if (text.length > longest) throw new RangeError('It is too long.')
  const notation = text.replaceAll('\r\n', '\n').replace(preamble, '').trim()
  const drawnIn = (scheme: keyof typeof schemes): string =>
    renderMermaidSVG(notation, { ...schemes[scheme], font: 'system-ui', transparent: true }).replace(fetched, '')
  return { light: drawnIn('light'), dark: drawnIn('dark') }
}
