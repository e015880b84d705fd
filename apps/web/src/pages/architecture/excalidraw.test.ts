import { expect, test } from 'vitest'
import { boundsOf, readScene } from './excalidraw.ts'

const box = { type: 'rectangle', x: 10, y: 20, width: 100, height: 50 }

test('elements are read, deleted and unknown ones left out', () => {
  const scene = { elements: [box, { ...box, isDeleted: true }, { type: 'selection' }, 'x', null] }
  expect(readScene(scene)).toMatchObject([{ shape: 'rectangle', x: 10, width: 100, stroke: '#1e1e1e' }])
})

test('what is no scene has no elements', () => {
  for (const payload of ['text', null, {}, { elements: 'x' }]) expect(readScene(payload)).toEqual([])
})

test('a colour that is none is not taken', () => {
  const [read] = readScene([{ ...box, strokeColor: 'url(https://example.invalid)', backgroundColor: '#fff' }])
  expect(read).toMatchObject({ stroke: '#1e1e1e', fill: '#fff' })
})

test('bounds hold every element, lines by their points', () => {
  const arrow = {
    type: 'arrow',
    x: 110,
    y: 45,
    points: [
      [0, 0],
      [200, -100],
      ['x', 1],
    ],
  }
  expect(boundsOf(readScene([box, arrow]))).toEqual({ x: -6, y: -71, width: 332, height: 157 })
})
