import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { files } from '../../../tools/distribution/files.ts'
import { pages } from '../../../tools/docs/pages.ts'

test.each(Object.entries(pages))('docs/%s is what `pnpm run docs` writes', (name, page) => {
  expect(readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')).toBe(page())
})

test.each(Object.entries(files))('%s is what `pnpm run docs` writes', (path, text) => {
  expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(text)
})
