import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './root.ts'

/** Matches the source code that names the entry file of a thread or process. */
const sibling = /siblingFile\(import\.meta\.url, '([\w-]+)'\)/g

/** The files that threads and processes start with, by name: every one that the sources name. */
function siblings(): Record<string, string> {
  const sources = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).toSorted()
  const found = sources.flatMap(source =>
    Array.from(readFileSync(join(root, source), 'utf8').matchAll(sibling), ([, name]) => [
      name!,
      join(root, dirname(source), `${name}.ts`),
    ]),
  )
  // The example in the comment of `siblingFile` is the same file once more.
  return Object.fromEntries(found)
}

/** The file that Piscina starts its threads with, which it looks for next to itself. */
const poolThread = (): string =>
  join(dirname(createRequire(join(root, 'packages/domain/package.json')).resolve('piscina')), 'worker.js')

/** The entry files of the package, by name: for users, threads and processes. */
export const entries = (): Readonly<Record<string, string>> => ({
  main: join(root, 'apps/cli/src/main.js'),
  client: join(root, 'tools/package/client.ts'),
  worker: poolThread(),
  ...siblings(),
})
