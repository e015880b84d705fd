import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LineageKind, LineageNode } from '../../data/lineage.ts'
import { layoutOf, matcherOf, prunedTo, relativesIn, stagesOf, type TreeNode, treesOf } from './tree.ts'

const stages: Readonly<Partial<Record<LineageKind, number>>> = {
  refinement: 1,
  spec: 2,
  sprint: 3,
  scenario: 3,
  task: 4,
  bug: 5,
}

const node = (id: string, entity_type: LineageKind, parent_id: string | null = null): LineageNode => ({
  id,
  entity_type,
  entity_id: id,
  title: id,
  label: id,
  status: null,
  stage: stages[entity_type] ?? 0,
  archived: false,
  parent_id,
})

const nodes = [
  node('idea', 'ideation'),
  node('spec', 'spec', 'idea'),
  node('sprint', 'sprint', 'spec'),
  node('first', 'task', 'sprint'),
  node('second', 'task', 'spec'),
  node('bug', 'bug', 'second'),
  node('scenario', 'scenario', 'spec'),
  node('other', 'ideation'),
]

const all = () => true
const placesOf = (trees: readonly TreeNode[], isNarrow = false, isOpen: (tree: TreeNode) => boolean = all) =>
  layoutOf(trees, { isOpen, isNarrow }).placed.map(({ node: { id }, line, column }) => `${id} ${line},${column}`)

describe('the layout', () => {
  test('a chain of single records is one line, a further child the next; stages without records have no column', () => {
    expect(placesOf(treesOf(nodes, false))).toEqual([
      'idea 0,0',
      'spec 0,1',
      'sprint 0,2',
      'first 0,3',
      'second 1,3',
      'bug 1,4',
      'other 2,0',
    ])
  })
  test('on a phone each record has its line', () => {
    expect(placesOf(treesOf(nodes, false), true).slice(0, 3)).toEqual(['idea 0,0', 'spec 1,1', 'sprint 2,2'])
  })
  test('what is closed shows nothing below it', () => {
    expect(placesOf(treesOf(nodes, true), false, tree => tree.node.id !== 'spec')).toEqual([
      'idea 0,0',
      'spec 0,1',
      'other 1,0',
    ])
  })
  test('parts come when they are asked for', () => {
    expect(placesOf(treesOf(nodes, true))).toContain('scenario 2,2')
    expect(stagesOf(treesOf(nodes, false))).toEqual([0, 2, 3, 4, 5])
  })

  const kinds = ['ideation', 'refinement', 'spec', 'sprint', 'task', 'bug'] as const
  const forests = fc
    .array(fc.tuple(fc.constantFrom(...kinds), fc.nat(), fc.boolean()), { minLength: 1, maxLength: 60 })
    .map(tuples => {
      const forest: LineageNode[] = []
      for (const [kind, parent, isRoot] of tuples) {
        const above = forest[parent % Math.max(1, forest.length)]
        forest.push(node(`n${forest.length}`, kind, isRoot || above === undefined ? null : above.id))
      }
      return forest
    })
  test('no two nodes share a place, none stands left of or above its parent, and no line is empty', () => {
    fc.assert(
      fc.property(forests, fc.boolean(), fc.func(fc.boolean()), (forest, isNarrow, isOpen) => {
        const layout = layoutOf(treesOf(forest, true), { isOpen: ({ node: { id } }) => isOpen(id), isNarrow })
        const places = layout.placed.map(({ line, column }) => `${line},${column}`)
        expect(new Set(places).size).toBe(places.length)
        for (const { parent, line, column } of layout.placed) {
          if (parent === undefined) continue
          expect(column).toBeGreaterThan(parent.column)
          expect(line).toBeGreaterThanOrEqual(parent.line)
        }
        const lines = layout.placed.map(({ line }) => line)
        expect(lines).toEqual(lines.toSorted((a, b) => a - b))
        expect(new Set(lines).size).toBe(layout.lines)
      }),
    )
  })
})

test('words leave what has them, and what is above it', () => {
  expect(placesOf(prunedTo(treesOf(nodes, false), matcherOf('FIR')))).toEqual([
    'idea 0,0',
    'spec 0,1',
    'sprint 0,2',
    'first 0,3',
  ])
})

describe('what belongs to a record', () => {
  const edge = (source: string, relationship: 'depends_on' | 'verifies' | 'implements', target: string) => ({
    id: `${source} ${target}`,
    source,
    target,
    relationship,
  })
  const relatives = relativesIn({
    nodes,
    edges: [
      edge('second', 'depends_on', 'first'),
      edge('second', 'verifies', 'scenario'),
      edge('first', 'implements', 'gone'),
    ],
  })
  const idsOf = (found: readonly LineageNode[]) => found.map(({ id }) => id)

  test('its path begins at the root', () => {
    expect(idsOf(relatives.pathTo('first'))).toEqual(['idea', 'spec', 'sprint', 'first'])
  })
  test('relations are said from either end; what is not in the graph is left out', () => {
    expect(relatives.relatedTo('second').map(({ how }) => how)).toEqual(['waitsFor', 'verifies'])
    expect(relatives.relatedTo('first').map(({ how, nodes: others }) => [how, idsOf(others)])).toEqual([
      ['holdsUp', ['second']],
    ])
  })
  test('downstream is what came of it, what answers for it, and what waits for it', () => {
    expect(idsOf(relatives.downstreamOf('first'))).toEqual(['second', 'bug'])
    expect(idsOf(relatives.downstreamOf('scenario'))).toEqual(['second', 'bug'])
    expect(idsOf(relatives.downstreamOf('bug'))).toEqual([])
  })
})
