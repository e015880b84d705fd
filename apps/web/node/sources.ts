import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the clone. */
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder of the web board. */
export const webFolder = join(root, 'apps/web')

/** Pages that the service serves. */
export interface Pages {
  /** The folder of their build in the package. */
  readonly name: 'web' | 'guide'
  /** The script that builds them, in a clone. */
  readonly script: string
  /** The folder of their builds in a clone. */
  readonly builds: string
  /** The inputs of a build. */
  readonly parts: readonly string[]
}

/** The web board: its sources, its build, the operations that it calls, its libraries. */
export const board: Pages = {
  name: 'web',
  script: 'build.ts',
  builds: join(webFolder, 'dist'),
  parts: [
    'apps/web/src',
    'apps/web/public',
    'apps/web/node',
    'apps/web/index.html',
    'apps/web/vite.config.ts',
    'packages/client/src',
    'packages/contract/src',
    'pnpm-lock.yaml',
  ],
}

/** The guide: the pages of the documentation, and their build. */
export const guide: Pages = {
  name: 'guide',
  script: 'build-guide.ts',
  builds: join(webFolder, 'dist-guide'),
  parts: [
    'docs',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'server.json',
    'apps/web/guide',
    'apps/web/node',
    'apps/web/src/icon.svg',
    'apps/web/src/styles',
    'pnpm-lock.yaml',
  ],
}

/** The folder for the build of the current sources; its name changes with any of them. */
export async function buildFolder({ parts, builds }: Pick<Pages, 'parts' | 'builds'>): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts)
    for (const file of await filesOf(join(root, part)))
      hash
        .update(relative(root, file))
        .update('\0')
        .update(await readFile(file))
        .update('\0')
  return join(builds, hash.digest('hex').slice(0, 16))
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined)
  if (entries === undefined) return [path]
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
