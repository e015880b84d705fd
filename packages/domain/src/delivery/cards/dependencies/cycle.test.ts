import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cycleClosedBy, type DependencyLink } from './cycle.ts'

const link = (card_id: string, depends_on_id: string): DependencyLink => ({ card_id, depends_on_id })

test.each([
  ['itself', link('a', 'a'), [], ['a', 'a']],
  ['each other', link('a', 'b'), [link('b', 'a')], ['a', 'b', 'a']],
  ['through others', link('a', 'b'), [link('b', 'c'), link('b', 'd'), link('d', 'a')], ['a', 'b', 'd', 'a']],
  ['nobody', link('a', 'b'), [link('b', 'c'), link('d', 'a')], null],
])('waiting for %s', (_, wanted, links, path) => {
  expect(cycleClosedBy(wanted, links)).toEqual(path)
})

test('accepted links never form a cycle, and a refused link names a real cycle', () => {
  const node = fc.constantFrom(...'abcdef')
  fc.assert(
    fc.property(fc.array(fc.tuple(node, node), { maxLength: 20 }), pairs => {
      const links: DependencyLink[] = []
      for (const [card, on] of pairs) {
        const path = cycleClosedBy(link(card, on), links)
        if (path === null) links.push(link(card, on))
        else {
          expect([path[0], path[1], path.at(-1)]).toEqual([card, on, card])
          const steps = path.slice(1).map((to, index) => link(path[index]!, to))
          expect([...links, link(card, on)]).toEqual(expect.arrayContaining(steps))
        }
      }
      expect(sorted(links)).toBe(true)
    }),
  )
})

/** Whether the links can be sorted topologically, which means that they have no cycle. */
function sorted(links: readonly DependencyLink[]): boolean {
  let remaining = [...links]
  for (;;) {
    const free = remaining.filter(({ depends_on_id }) => remaining.every(other => other.card_id !== depends_on_id))
    if (free.length === 0) return remaining.length === 0
    remaining = remaining.filter(candidate => !free.includes(candidate))
  }
}
