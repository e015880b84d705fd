import { expect, test } from 'vitest'
import { exampleOf } from '../../lib/path-patterns.ts'
import { ScopeIndex } from './scope-index.ts'
import type { Scope } from './store.ts'

const parts = ['a', 'b', 'ab', 'A', '*', '?', '**', 'a*', '*b', '{a,b}', '{a/b,b}', '[ab]', 'src', 'SRC']

/** Draws the same numbers for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 65_536) % below
  }
}

const scopeOf = (id: string, patterns: readonly string[]): Scope => ({
  kind: 'card',
  id,
  ref: id,
  title: null,
  agent_id: id,
  agent_name: id,
  session: null,
  stage: 'work',
  since: '',
  until: '',
  repository: null,
  patterns,
})

test.each([1, 2, 3, 4])('what may share a path is near, whatever came and went before (seed %i)', seed => {
  const random = drawing(seed)
  const pattern = (): string =>
    Array.from({ length: 1 + random(4) }, () => parts[random(parts.length)]!).join('/') + (random(5) === 0 ? '/' : '')
  const patterns = (): string[] => [...new Set(Array.from({ length: 1 + random(6) }, pattern))]
  const index = new ScopeIndex()
  let scopes: readonly Scope[] = []
  for (let step = 0; step < 25; step++) {
    const remaining = scopes.filter(() => random(4) > 0)
    const changed = remaining.map(scope => (random(4) === 0 ? scopeOf(scope.id, patterns()) : scope))
    scopes = [...changed, ...Array.from({ length: random(5) }, (_, n) => scopeOf(`${step}.${n}`, patterns()))]
    index.hold(scopes)
    const query = patterns()
    const near = index.near(query, () => true)
    for (const scope of scopes) {
      const all = query.flatMap(a => scope.patterns.map(b => [a, b] as const))
      const sharing = all.filter(([a, b]) => exampleOf(a, b) !== null)
      expect((near.get(scope) ?? []).filter(([a, b]) => exampleOf(a, b) !== null)).toEqual(sharing)
    }
    expect([...near.keys()].filter(scope => !scopes.includes(scope))).toEqual([])
  }
})

test('patterns of other folders are not near', () => {
  const index = new ScopeIndex()
  index.hold([scopeOf('x', ['src/a/**', 'docs/*.md', 'src/b/c.ts'])])
  const near = index.near(['src/a/b.ts', 'src/c/**'], () => true)
  expect([...near.values()]).toEqual([[['src/a/b.ts', 'src/a/**']]])
  expect(index.near(['src/a/b.ts'], () => false).size).toBe(0)
})
