import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GraphEdge, GraphNode } from '../../data/knowledge.ts'
import { explorerLayout } from './explorer-layout.ts'

const nodeOf = (id: string) => ({ id, title: id, node_type: 'Entity' }) as GraphNode
const nodesOf = (...ids: string[]) => new Map(ids.map(id => [id, nodeOf(id)]))
const edge = (source: string, target: string) =>
  ({ id: `${source}-${target}`, source, target, edge_type: 'belongs_to' }) as GraphEdge

const all = () => true
const places = (options: Partial<Parameters<typeof explorerLayout>[0]>) =>
  explorerLayout({
    nodes: nodesOf('middle', 'a', 'b', 'c', 'far'),
    edges: [edge('a', 'middle'), edge('middle', 'b'), edge('middle', 'c'), edge('far', 'b'), edge('c', 'b')],
    center: 'middle',
    isOpen: id => id === 'b',
    isShown: all,
    ...options,
  })

test('what leads to the middle stands left of it, what it leads to right, what an open one is connected to behind it', () => {
  const { placed, lines, left, right } = places({})
  expect(placed.map(({ node, side, level, line }) => [node.id, side, level, line])).toEqual([
    ['middle', 'middle', 0, 0],
    ['a', 'left', 1, 0],
    ['b', 'right', 1, 0],
    ['far', 'right', 2, 0],
    ['c', 'right', 1, 1],
  ])
  expect([lines, left, right]).toEqual([2, 1, 2])
})

test('further edges between what is shown are told', () => {
  expect(places({}).others.map(([from, to]) => [from.node.id, to.node.id])).toEqual([['c', 'b']])
})

test('what is filtered out is not shown, nor what only it leads to; the middle always is', () => {
  const { placed } = places({ isShown: ({ id }) => id !== 'b' && id !== 'middle' })
  expect(placed.map(({ node }) => node.id)).toEqual(['middle', 'a', 'c'])
})

test('a middle that is not there is an empty picture', () => {
  expect(places({ center: 'gone' }).placed).toEqual([])
})

test('a path stands above all else, whether its nodes are open or shown', () => {
  const path = new Set(['middle-c', 'c-b', 'far-b'])
  const { placed } = places({ isOpen: () => false, isShown: ({ id }) => id !== 'far', path })
  expect(placed.map(({ node, level, line }) => [node.id, level, line])).toEqual([
    ['middle', 0, 0],
    ['a', 1, 0],
    ['c', 1, 0],
    ['b', 1, 1],
    ['far', 2, 1],
  ])
})

test('each thing has one place, and no two the same', () => {
  const names = ['middle', ...Array.from({ length: 12 }, (_, index) => `n${index}`)]
  const graphs = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 40 })
  fc.assert(
    fc.property(graphs, fc.func(fc.boolean()), (pairs, isOpen) => {
      const edges = pairs
        .filter(([source, target]) => source !== target)
        .map(([source, target]) => edge(source, target))
      const { placed, lines } = places({ nodes: nodesOf(...names), edges, isOpen })
      const ids = placed.map(({ node }) => node.id)
      expect(new Set(ids).size).toBe(ids.length)
      const spots = placed.map(({ side, level, line }) => `${side} ${level} ${line}`)
      expect(new Set(spots).size).toBe(spots.length)
      for (const { line } of placed) expect(line).toBeLessThan(lines)
    }),
  )
})
