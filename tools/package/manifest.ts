import { createRequire } from 'node:module'
import { join } from 'node:path'
import { description } from '../distribution/description.ts'
import { root } from './root.ts'

/** The version of better-sqlite3 that the service is tested with: the one dependency, because it is native. */
const sqlite: string = createRequire(join(root, 'packages/storage/package.json'))('better-sqlite3/package.json').version

/** The package.json of the published package. */
export const manifest = {
  name: description.name,
  version: description.version,
  description: description.text,
  keywords: description.keywords,
  license: description.licence,
  author: description.authors,
  repository: { type: 'git', url: `git+${description.repository}.git` },
  homepage: `${description.repository}#readme`,
  bugs: `${description.repository}/issues`,
  mcpName: description.mcpName,
  type: 'module',
  bin: { specboard: 'dist/main.js' },
  man: ['dist/specboard.1'],
  exports: {
    './client': { types: './dist/client.d.ts', default: './dist/client.js' },
    './package.json': './package.json',
  },
  files: ['dist', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES'],
  engines: { node: description.node },
  dependencies: { 'better-sqlite3': sqlite },
} as const
