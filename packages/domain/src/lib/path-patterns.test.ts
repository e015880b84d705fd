import { faultOfPattern, PathPattern } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { exampleOf, matchesPath } from './path-patterns.ts'

describe('what a pattern holds (harness 4.2)', () => {
  test.each<[pattern: string, held: readonly string[], others: readonly string[]]>([
    ['src/a.ts', ['src/a.ts', 'src/a.ts/b'], ['src/A.ts', 'src/a.tsx', 'src']],
    ['src', ['src', 'src/a', 'src/a/b.ts'], ['srcs', 'lib/src']],
    ['src/*/', ['src/a', 'src/a/b/c'], ['src']],
    ['src/*', ['src/a', 'src/a.ts'], ['src/a/b', 'src']],
    ['src/?.ts', ['src/a.ts'], ['src/ab.ts', 'src/.ts']],
    ['**/*.ts', ['a.ts', 'src/a.ts', 'src/b/c.ts'], ['a.tsx', 'src/a.ts/b']],
    ['src/**', ['src', 'src/a', 'src/a/b'], ['srca', 'lib']],
    ['src/**/test/**', ['src/test', 'src/a/b/test/c'], ['src/atest', 'src']],
    ['**', ['a', 'a/b'], []],
    ['**/**/a', ['a', 'b/a', 'b/c/a'], ['ab']],
    ['{src,lib/x}/*.{ts,js}', ['src/a.ts', 'lib/x/b.js'], ['lib/b.js', 'src/a.css']],
    ['v[0-9]/[abc]', ['v3/b'], ['vx/b', 'v3/d']],
    ['app/\\[id\\]/*', ['app/[id]/page'], ['app/i/page']],
  ])('%s', (pattern, matching, others) => {
    expect(matching.filter(path => !matchesPath(pattern, path))).toEqual([])
    expect(others.filter(path => matchesPath(pattern, path))).toEqual([])
  })
})

describe('what is no pattern (harness 4.2)', () => {
  test.each([
    ['', 'is empty'],
    ['./', 'is empty'],
    ['/src', 'begins with /'],
    ['C:/src', 'drive letter'],
    ['a/../b', 'contains ..'],
    ['..', 'contains ..'],
    ['src\\app', 'separated by /'],
    ['src/a\\', 'separated by /'],
    ['a**/b', '** inside a part'],
    ['{**,a}', '** inside a part'],
    ['src/[ab', '[ without its ]'],
    ['src/{a,b', '{ without its }'],
    ['a]', '] without its ['],
    ['a}', '} without its {'],
    ['{a,{b,c}}', '{ inside { }'],
    ['{1,2,3,4,5,6,7,8}{1,2,3,4,5,6,7,8,9}', 'more than 16'],
    ['a\u0001b', 'control character'],
    ['!src', 'begins with !'],
    ['src//a', 'two / in a row'],
    ['[z-a]', 'range'],
  ])('%j', (text, why) => {
    expect(faultOfPattern(PathPattern.safeParse(text).data ?? (text === './' ? '' : text))).toContain(why)
  })

  test('./ is cut', () => {
    expect(['./src/a', 'a/././b', '././x/'].map(text => PathPattern.parse(text))).toEqual(['src/a', 'a/b', 'x/'])
  })
})

describe('what two patterns share (harness 4.3)', () => {
  test.each<[a: string, b: string, example: string | null]>([
    ['src/a.ts', 'src/*.ts', 'src/a.ts'],
    ['src/A.ts', 'SRC/a.ts', 'src/A.ts'],
    ['src', 'src/api/b.ts', 'src/api/b.ts'],
    ['src/*.ts', 'src/*.js', null],
    ['src/*', '*/b', 'src/b'],
    ['src/?x', 'src/y?', 'src/yx'],
    ['**/test/*', 'src/**', 'src/test/a'],
    ['[a-c]1', '[c-e]1', 'c1'],
    ['*', '*/a', null],
    ['{a,b}/x', '{b,c}/x', 'b/x'],
    ['web:src', 'api:src', null],
    ['web:src', 'src', 'src'],
  ])('%s and %s: %s', (a, b, example) => {
    expect(exampleOf(a, b)).toBe(example)
    expect(exampleOf(b, a) === null).toBe(example === null)
  })

  test('what all share is left out, with all below it (harness 5.1)', () => {
    const shared = ['CHANGELOG.md', '**/package-lock.json']
    expect(exampleOf('CHANGELOG.md', '*.md', shared)).toBe(null)
    expect(exampleOf('package-lock.json', '**', shared)).toBe(null)
    expect(exampleOf('CHANGELOG.md', 'changelog.md/**', shared)).toBe(null)
    expect(exampleOf('?*.md', '**', shared)).toBe('a.md')
    expect(exampleOf('C*.md', '*G.md', shared)).toBe('CG.md')
    expect(exampleOf('{CHANGELOG,README}.md', '*.md', shared)).toBe('README.md')
  })

  test('drawn patterns share a path exactly where a slow search finds one', () => {
    const alphabet = ['a', 'b']
    const words = alphabet.flatMap(first => [first, ...alphabet.map(next => first + next)])
    const paths = words.flatMap(first => [
      first,
      ...words.flatMap(next => [`${first}/${next}`, ...alphabet.map(third => `${first}/${next}/${third}`)]),
    ])
    const parts = ['a', 'b', 'ab', '*', '?', '**', 'a*', '*b', '{a,b}', '[ab]', '{a,b}b']
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor(seed / 65_536) % below
    }
    const pattern = (): string =>
      Array.from({ length: 1 + random(3) }, () => parts[random(parts.length)]!).join('/') + (random(5) === 0 ? '/' : '')
    const cache = new Map<string, readonly string[]>()
    const heldBy = (text: string): readonly string[] => {
      const matching = cache.get(text) ?? paths.filter(path => matchesPath(text, path))
      cache.set(text, matching)
      return matching
    }
    const drawnPairs = process.env.SPECBOARD_TESTS === 'quick' ? 2_000 : 20_000
    for (let count = 0; count < drawnPairs; count++) {
      const [a, b] = [pattern(), pattern()]
      const others = new Set(heldBy(b))
      const found = heldBy(a).some(path => others.has(path))
      const example = exampleOf(a, b)
      expect([a, b, example === null || (matchesPath(a, example) && matchesPath(b, example))]).toEqual([a, b, true])
      if (found) expect([a, b, example]).not.toEqual([a, b, null])
    }
  })
})
