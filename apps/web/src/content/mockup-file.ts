import type { FileSource } from '../components/source-field.tsx'
import { messages } from '../messages/messages.ts'

const texts = messages.mockups

/** Maximum size of a file, bytes: a mockup is part of its record and is read with it. */
const maxBytes = 1 << 20

const kinds: readonly (readonly [RegExp, string])[] = [
  [/\.png$/i, 'image/png'],
  [/\.jpe?g$/i, 'image/jpeg'],
  [/\.webp$/i, 'image/webp'],
  [/\.gif$/i, 'image/gif'],
  [/\.svg$/i, 'image/svg+xml'],
]

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function base64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Reads a file as the HTML of a mockup: a picture is embedded in it, because mockups load nothing from elsewhere. */
export async function mockupIn(file: Pick<File, 'name' | 'size' | 'text' | 'arrayBuffer'>): Promise<FileSource> {
  const isHtml = /\.html?$/i.test(file.name)
  const type = kinds.find(([ending]) => ending.test(file.name))?.[1]
  if (!isHtml && type === undefined) return { fault: texts.unknownFile(file.name) }
  if (file.size > maxBytes) return { fault: texts.tooLarge(file.name) }
  if (isHtml) {
    const source = await file.text()
    return source.trim() === '' ? { fault: `${file.name}: ${texts.empty}` } : { source }
  }
  const data = base64(new Uint8Array(await file.arrayBuffer()))
  return { source: `<img alt="${escaped(file.name)}" src="data:${type};base64,${data}">\n` }
}
