/** An element of an Excalidraw scene, as far as it is drawn. */
export interface SceneElement {
  readonly id: string
  readonly shape: 'rectangle' | 'ellipse' | 'diamond' | 'line' | 'text'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** For a line, relative to x and y. */
  readonly points: readonly (readonly [number, number])[]
  readonly isArrow: boolean
  readonly lines: readonly string[]
  readonly fontSize: number
  readonly stroke: string
  readonly fill: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const numberIn = (value: unknown, otherwise = 0): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise

/** A colour in the form that Excalidraw uses; anything else, such as an address, is replaced by the default. */
const colourIn = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && /^(?:#[0-9a-f]{3,8}|transparent)$/i.test(value) ? value : otherwise

const shapes: Readonly<Record<string, SceneElement['shape']>> = {
  rectangle: 'rectangle',
  frame: 'rectangle',
  image: 'rectangle',
  ellipse: 'ellipse',
  diamond: 'diamond',
  line: 'line',
  arrow: 'line',
  freedraw: 'line',
  text: 'text',
}

const isPoint = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1])

function elementIn(value: unknown, index: number): SceneElement[] {
  if (!isObject(value) || value.isDeleted === true) return []
  const shape = shapes[String(value.type)]
  if (shape === undefined) return []
  return [
    {
      id: `${index}`,
      shape,
      x: numberIn(value.x),
      y: numberIn(value.y),
      width: Math.abs(numberIn(value.width)),
      height: Math.abs(numberIn(value.height)),
      points: Array.isArray(value.points) ? value.points.filter(isPoint) : [],
      isArrow: value.type === 'arrow',
      lines: typeof value.text === 'string' ? value.text.split('\n') : [],
      fontSize: numberIn(value.fontSize, 20),
      stroke: colourIn(value.strokeColor, '#1e1e1e'),
      fill: colourIn(value.backgroundColor, 'transparent'),
    },
  ]
}

/** The elements of a scene, as the service stores it; what cannot be drawn is left out. */
export function readScene(payload: unknown): readonly SceneElement[] {
  const elements = isObject(payload) ? payload.elements : payload
  return Array.isArray(elements) ? elements.flatMap(elementIn) : []
}

/** The area that a scene covers, with a margin. */
export function boundsOf(elements: readonly SceneElement[]): Readonly<Record<'x' | 'y' | 'width' | 'height', number>> {
  const corners = elements.flatMap(({ x, y, width, height, points, shape }): readonly (readonly [number, number])[] =>
    shape === 'line'
      ? points.map(([dx, dy]) => [x + dx, y + dy])
      : [
          [x, y],
          [x + width, y + height],
        ],
  )
  const xs = corners.map(([x]) => x)
  const ys = corners.map(([, y]) => y)
  const min = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), values[0] ?? 0)
  const max = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), values[0] ?? 0)
  const margin = 16
  return {
    x: min(xs) - margin,
    y: min(ys) - margin,
    width: max(xs) - min(xs) + 2 * margin,
    height: max(ys) - min(ys) + 2 * margin,
  }
}
