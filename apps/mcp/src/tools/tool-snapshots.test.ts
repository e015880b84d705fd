import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { definitionsOf } from './definitions.ts'
import { viewOf } from './view.ts'

/**
 * The surface that clients see, with one file for each tool, so that a change shows up in review. `-u` renews the
 * files.
 */
const folder = new URL('../../tools.snap/', import.meta.url)

const view = viewOf({ toolsets: 'all,meta' }, 'all')
const tools = definitionsOf(view.tools, view)

test.each(tools.map(tool => [tool.name, tool] as const))('%s is what its snapshot shows', async (name, tool) => {
  await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(new URL(`${name}.json`, folder)))
})

test('no snapshot is left of a tool that is gone: delete its file', () => {
  const names = new Set(tools.map(tool => `${tool.name}.json`))
  expect(readdirSync(folder).filter(file => !names.has(file))).toEqual([])
})
