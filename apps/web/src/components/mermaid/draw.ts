import { renderMermaidSVG } from 'beautiful-mermaid'

/** A diagram as SVG, for light pages and for dark ones. */
export interface Drawing {
  readonly light: string
  readonly dark: string
}

/**
 * Background and text colours of each colour scheme: the page's own, which a picture cannot read from the page's
 * styles.
 */
const schemes = {
  light: { bg: '#ffffff', fg: '#1b1d22' },
  dark: { bg: '#191b1f', fg: '#e8eaee' },
} as const

/** A notation without the settings and comments that may precede the diagram type; they have no effect. */
function withoutPreamble(notation: string): string {
  const lines = notation.split('\n')
  let at = 0
  for (; at < lines.length; at++) {
    const line = lines[at]!.trim()
    if (line === '---') {
      const end = lines.findIndex((other, index) => index > at && other.trimEnd() === '---')
      if (end === -1) break
      at = end
    } else if (line !== '' && !line.startsWith('%%')) break
  }
  return lines.slice(at).join('\n').trim()
}

/** A picture without the line that would make the library fetch fonts: a picture may load nothing. */
function withoutFetched(svg: string): string {
  const lines = svg.split('\n')
  const fetched = lines.findIndex(line => line.includes('@import '))
  return (fetched === -1 ? lines : lines.toSpliced(fetched, 1)).join('\n')
}

/** The longest notation that is drawn, so that a page does not wait for longer ones. */
const maxLength = 10_000

/**
 * Draws a Mermaid diagram.
 * @throws {Error} when the notation cannot be drawn
 */
export function draw(text: string): Drawing {
  if (text.length > maxLength) throw new RangeError('It is too long.')
  const notation = withoutPreamble(text.replaceAll('\r\n', '\n'))
  const drawnIn = (scheme: keyof typeof schemes): string =>
    withoutFetched(renderMermaidSVG(notation, { ...schemes[scheme], font: 'system-ui', transparent: true }))
  return { light: drawnIn('light'), dark: drawnIn('dark') }
}
