import { messages } from '../../messages/messages.ts'
import { readScene } from './excalidraw.ts'

const texts = messages.architecture.editing

/** The notations of diagrams, the ones that are drawn here first (insight A.1). */
export const formats = ['mermaid', 'excalidraw_json', 'svg', 'plantuml', 'c4', 'raw'] as const
export type Format = (typeof formats)[number]

export const isFormat = (text: string): text is Format => formats.some(format => format === text)

/** The notations by file extension. */
const endings: readonly (readonly [RegExp, Format])[] = [
  [/\.(?:excalidraw|json)$/i, 'excalidraw_json'],
  [/\.(?:mmd|mermaid)$/i, 'mermaid'],
  [/\.svg$/i, 'svg'],
  [/\.(?:puml|plantuml|pu)$/i, 'plantuml'],
]

/** Maximum size of a drawing, bytes: the limit of a body (general, Errors). */
const maxBytes = 8 << 20

/** The diagram in a file, or why the file is not a diagram. */
export type DiagramFile = { readonly format: Format; readonly source: string } | { readonly fault: string }

/** Reads a file as a diagram: its notation follows from its name, and its content is checked as the service would. */
export async function diagramIn(file: Pick<File, 'name' | 'size' | 'text'>): Promise<DiagramFile> {
  const format = endings.find(([ending]) => ending.test(file.name))?.[1]
  if (format === undefined) return { fault: texts.unknownFile(file.name) }
  if (file.size > maxBytes) return { fault: texts.tooLarge(file.name) }
  const source = await file.text()
  const fault = faultIn(format, source)
  return fault === '' ? { format, source } : { fault: `${file.name}: ${fault}` }
}

const parsed = (source: string): unknown => {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

const isScene = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && 'elements' in value && Array.isArray(value.elements)

/** Why a text is not a valid diagram in a notation, in words; '' if it is. */
export function faultIn(format: Format, source: string): string {
  if (source.trim() === '') return texts.empty
  if (format === 'excalidraw_json' && !isScene(parsed(source))) return texts.noScene
  if (format === 'svg' && !/<svg[\s>]/i.test(source)) return texts.noSvg
  return ''
}

/** A text in the form in which the service stores it (insight A.4). */
export const payloadOf = (format: Format, source: string): string | Record<string, unknown> => {
  const scene = format === 'excalidraw_json' ? parsed(source) : undefined
  return isScene(scene) ? { ...scene } : source
}

/** A stored diagram as a text that can be edited. */
export const sourceOf = (payload: unknown): string =>
  typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2)

/** The elements of a scene's text. */
export const sceneIn = (source: string) => readScene(parsed(source))
