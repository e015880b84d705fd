import { expect, test } from 'vitest'
import { diagramIn, faultIn, payloadOf, sourceOf } from './diagram-source.ts'

const file = (name: string, text: string, size = text.length) => ({ name, size, text: async () => text })
const scene = '{"type":"excalidraw","elements":[]}'

test.each([
  ['plan.excalidraw', scene, 'excalidraw_json'],
  ['plan.JSON', scene, 'excalidraw_json'],
  ['plan.mmd', 'flowchart LR', 'mermaid'],
  ['plan.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'svg'],
  ['plan.puml', '[A] --> [B]', 'plantuml'],
])('%s is read by the end of its name', async (name, text, format) => {
  expect(await diagramIn(file(name, text))).toEqual({ format, source: text })
})

test.each([
  [file('photo.png', 'x'), /^“photo.png” is not a drawing/],
  [file('plan.excalidraw', 'x'.repeat(10), 9 << 20), /larger than 8 MB/],
  [file('plan.excalidraw', '{}'), /^plan.excalidraw: .*not an Excalidraw drawing/],
  [file('plan.svg', 'hello'), /^plan.svg: .*not an SVG/],
  [file('plan.mmd', '  '), /^plan.mmd: .*empty/],
])('a file that is none is refused in words', async (wrong, says) => {
  expect(await diagramIn(wrong)).toEqual({ fault: expect.stringMatching(says) })
})

test('a text and what is kept of it are the same', () => {
  expect(payloadOf('excalidraw_json', scene)).toEqual({ type: 'excalidraw', elements: [] })
  expect(faultIn('excalidraw_json', sourceOf(payloadOf('excalidraw_json', scene)))).toBe('')
  expect(payloadOf('mermaid', '{"elements":[]}')).toBe('{"elements":[]}')
})
