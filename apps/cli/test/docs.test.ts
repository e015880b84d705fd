import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pages } from '../../../tools/docs/pages.ts'

test.each(Object.entries(pages))('docs/%s is what `pnpm run docs` writes', (name, page) => {
  expect(readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')).toBe(page())
})
