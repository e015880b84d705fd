import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src', import.meta.url))

/** A rule for all elements of a class, outside of any condition. */
const ownRule = /^\.([a-z][a-z-]*)(?:,| \{)$/gm

// The style sheets of a page stay loaded after navigation, so two that style the same class would clash.
test('each class has its look from one file', () => {
  const styledIn = Map.groupBy(
    globSync('{components,exchange,materials,moves,pages,shell,table,views}/**/*.css', { cwd: source }).flatMap(file =>
      [...readFileSync(`${source}/${file}`, 'utf8').matchAll(ownRule)].map(([, name]) => ({ name, file })),
    ),
    ({ name }) => name,
  )
  const shared = [...styledIn].flatMap(([name, rules]) => {
    const files = new Set(rules.map(({ file }) => basename(file)))
    return files.size > 1 ? [`${name}: ${[...files].join(', ')}`] : []
  })
  expect(shared).toEqual([])
})
