/** A chart as a picture: the page's styles are written into it, so that it looks the same elsewhere. */

/** The style properties that are copied to each mark. */
const styleProperties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
] as const

const namespace = 'http://www.w3.org/2000/svg'

function svgElement(name: string, attributes: Readonly<Record<string, string | number>>, text?: string): SVGElement {
  const element = document.createElementNS(namespace, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  if (text !== undefined) element.textContent = text
  return element
}

/** A copy of a mark and its children with their styles as attributes; links become groups. */
function copied(element: Element): Element {
  const copy = document.createElementNS(namespace, element.tagName === 'a' ? 'g' : element.tagName)
  for (const { name, value } of element.attributes)
    if (!/^(?:class|style|tabindex|href|role|aria-)/.test(name)) copy.setAttribute(name, value)
  const style = getComputedStyle(element)
  for (const property of styleProperties) copy.setAttribute(property, style.getPropertyValue(property))
  for (const child of element.childNodes)
    copy.append(child instanceof Element ? copied(child) : (child.textContent ?? ''))
  return copy
}

const margin = 16
const head = 36
const foot = 28

/** A picture: its text as SVG, and its size, px. */
export interface Picture {
  readonly text: string
  readonly width: number
  readonly height: number
  /** The colours behind it, backmost first: those in front may be transparent. */
  readonly grounds: readonly string[]
}

const groundOf = (element: Element): string => getComputedStyle(element).backgroundColor

/** The chart of a figure with its title and legend as a picture; undefined where no chart is drawn. */
export function pictureOf(figure: HTMLElement, title: string): Picture | undefined {
  const chart = figure.querySelector<SVGSVGElement>('.plot > svg')
  if (chart === null) return undefined
  const { width: chartWidth, height: chartHeight } = chart.getBoundingClientRect()
  const width = Math.ceil(chartWidth) + 2 * margin
  const height = Math.ceil(chartHeight) + head + foot + margin
  const ground = getComputedStyle(figure)
  const words = { 'font-family': ground.fontFamily, 'font-size': 12, fill: ground.color }
  const picture = svgElement('svg', { width, height, viewBox: `0 0 ${width} ${height}` })
  picture.setAttribute('xmlns', namespace)
  picture.append(
    svgElement('rect', { width, height, fill: ground.backgroundColor }),
    svgElement('text', { ...words, x: margin, y: 24, 'font-size': 14, 'font-weight': 600 }, title),
  )
  const body = svgElement('g', { transform: `translate(${margin} ${head})` })
  body.append(...[...chart.children].map(copied))
  picture.append(body, legendOf(figure, words, height - margin))
  return { text: new XMLSerializer().serializeToString(picture), width, height, grounds: [] }
}

/** The legend of a figure, in one line. */
function legendOf(figure: HTMLElement, words: Readonly<Record<string, string | number>>, y: number): SVGElement {
  const legend = svgElement('g', {})
  let x = margin
  for (const item of figure.querySelectorAll<HTMLElement>('.legend > li')) {
    const mark = item.querySelector('svg > *')
    if (mark === null) continue
    const sign = svgElement('g', { transform: `translate(${x} ${y - 10})` })
    sign.append(copied(mark))
    const says = item.querySelector('.legend-name')?.textContent ?? ''
    legend.append(sign, svgElement('text', { ...words, x: x + 16, y: y - 1 }, says))
    x += 36 + Math.ceil(item.getBoundingClientRect().width)
  }
  return legend
}

/** The prefix of an SVG data URL, before its text. */
const inAddress = 'data:image/svg+xml,'

/** The drawing in an element as a picture, whether inline SVG or an image; undefined if there is no drawing. */
export function drawingIn(root: HTMLElement): Picture | undefined {
  const svg = root.querySelector<SVGSVGElement>('svg.drawn')
  if (svg !== null) {
    const { width, height } = svg.viewBox.baseVal
    const picture = copied(svg)
    picture.setAttribute('xmlns', namespace)
    picture.setAttribute('width', String(width))
    picture.setAttribute('height', String(height))
    const text = new XMLSerializer().serializeToString(picture)
    return { text, width, height, grounds: [groundOf(root), groundOf(svg)] }
  }
  const image = root.querySelector('img')
  if (image?.currentSrc.startsWith(inAddress) !== true) return undefined
  const text = decodeURIComponent(image.currentSrc.slice(inAddress.length))
  const { naturalWidth: width, naturalHeight: height } = image
  return { text, width, height, grounds: [groundOf(root), groundOf(image)] }
}

/** The pixels of a bitmap per px. */
const density = 2

/** A picture as a PNG. */
export async function pngOf({ text, width, height, grounds }: Picture): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
  try {
    const image = new Image(width, height)
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = width * density
    canvas.height = height * density
    const context = canvas.getContext('2d')!
    for (const ground of grounds) {
      context.fillStyle = ground
      context.fillRect(0, 0, canvas.width, canvas.height)
    }
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((found, failed) =>
      canvas.toBlob(
        blob => (blob === null ? failed(new Error('The picture was not made.')) : found(blob)),
        'image/png',
      ),
    )
  } finally {
    URL.revokeObjectURL(address)
  }
}
