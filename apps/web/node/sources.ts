import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the clone. */
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder of the web board. */
export const webFolder = join(root, 'apps/web')

/** What a build is made of: its sources, how it is built, the operations that it calls, the libraries. */
const parts = [
  'apps/web/src',
  'apps/web/node',
  'apps/web/index.html',
  'apps/web/vite.config.ts',
  'packages/client/src',
  'packages/contract/src',
  'pnpm-lock.yaml',
]

/** The folder of the build of these sources; its name changes with any of them. */
export async function buildFolder(): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts)
    for (const file of await filesOf(join(root, part)))
      hash
        .update(relative(root, file))
        .update('\0')
        .update(await readFile(file))
        .update('\0')
  return join(webFolder, 'dist', hash.digest('hex').slice(0, 16))
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined)
  if (entries === undefined) return [path]
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
