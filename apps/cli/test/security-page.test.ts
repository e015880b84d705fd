import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { World } from './support/world.ts'

const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8')

/** The text between two marks of the page. */
const between = (start: string, end: string): string => page.split(start)[1]!.split(end)[0]!

const pattern = new RegExp(between("regex = '''", "'''"))
const { isReal } = (await import(`data:text/javascript,${encodeURIComponent(between('```js\n', '```'))}`)) as {
  isReal: (key: string) => boolean
}

let keys: readonly string[]
let world: World

beforeAll(async () => {
  world = await World.start()
  const agents = await Promise.all(Array.from({ length: 20 }, () => world.agent()))
  keys = [world.owner, ...agents].map(({ key }) => key)
})

afterAll(() => world.stop())

test('the rule for scanners finds real keys in a text, and their checksums fit', () => {
  for (const key of keys) {
    expect(pattern.exec(`KEY="${key}"\n`)?.[1]).toBe(key)
    expect(isReal(key)).toBe(true)
  }
})

test('what only looks like a key does not fit its checksum, or is not found', () => {
  for (const key of keys) {
    const changed = key.slice(0, 20) + (key[20] === '0' ? '1' : '0') + key.slice(21)
    expect(pattern.test(changed)).toBe(true)
    expect(isReal(changed)).toBe(false)
    for (const text of [key.slice(0, -1), `${key}0`, key.toUpperCase(), `a${key}`])
      expect(pattern.test(text)).toBe(false)
  }
})
