import { expect, test } from 'vitest'
import { type ElkNode, laidOut } from './elk.ts'

const box = (id: string): ElkNode => ({ id, width: 60, height: 30 })
const edge = (id: string, source: string, target: string) => ({ id, sources: [source], targets: [target] })

const placeOf = ({ children = [] }: ElkNode, id: string): Required<Pick<ElkNode, 'x' | 'y' | 'width' | 'height'>> => {
  const { x = 0, y = 0, width = 0, height = 0 } = children.find(child => child.id === id)!
  return { x, y, width, height }
}

test('what follows stands below, and the line leads there with square corners', () => {
  const edges = [edge('e0', 'a', 'b'), edge('e1', 'a', 'c')]
  const layout = laidOut({ id: 'root', children: [box('a'), box('b'), box('c')], edges })
  expect(placeOf(layout, 'b').y).toBeGreaterThan(placeOf(layout, 'a').y + 30)
  expect(placeOf(layout, 'c').y).toBe(placeOf(layout, 'b').y)
  for (const { sections = [] } of layout.edges!) {
    const { startPoint, bendPoints, endPoint } = sections[0]!
    const path = [startPoint, ...bendPoints, endPoint]
    for (const [index, { x, y }] of path.slice(1).entries())
      expect(Math.min(Math.abs(x - path[index]!.x), Math.abs(y - path[index]!.y))).toBeLessThanOrEqual(1)
  }
})

test('a graph to the right goes right', () => {
  const layoutOptions = { 'elk.direction': 'RIGHT' }
  const layout = laidOut({ id: 'root', layoutOptions, children: [box('a'), box('b')], edges: [edge('e0', 'a', 'b')] })
  expect(placeOf(layout, 'b').x).toBeGreaterThan(placeOf(layout, 'a').x + 60)
})

test('a group holds what is in it, below its title; a line to the group ends in it', () => {
  const group = { id: 'g', children: [box('a'), box('b')], edges: [edge('e1', 'a', 'b')] }
  const layout = laidOut({ id: 'root', children: [group, box('c')], edges: [edge('e0', 'c', 'g')] })
  const { width, height } = placeOf(layout, 'g')
  for (const child of layout.children![0]!.children!) {
    expect(child.x! + 60).toBeLessThanOrEqual(width)
    expect(child.y! + 30).toBeLessThanOrEqual(height)
    expect(child.y!).toBeGreaterThanOrEqual(44)
  }
  expect(layout.edges![0]!.sections).toHaveLength(1)
})

test('a line through the border of a group leads to the node behind it; a loop leads back', () => {
  const group = { id: 'g', children: [box('a')], edges: [edge('e0_internal', 'g_in_0', 'a')] }
  const edges = [edge('e0', 'c', 'g_in_0'), edge('e1', 'c', 'c')]
  const layout = laidOut({ id: 'root', children: [group, box('c')], edges })
  for (const { sections } of layout.edges!) expect(sections).toHaveLength(1)
})
