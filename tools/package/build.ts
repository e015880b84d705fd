import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { docsFiles, readDocsFile } from '@specboard/http'
import { board, buildFolder, builtSite, guide, type Pages } from '@specboard/web'
import { packedDatabaseName } from '../../packages/domain/src/schema/packed-database.ts'
import { bundle } from './bundle.ts'
import { callDeclarations, clientDeclarations } from './declarations.ts'
import { bundledLibraries, copiedLibraries, noticeOf, pageLibraries } from './licences.ts'
import { manifest } from './manifest.ts'
import { newDatabase } from './new-database.ts'
import { root } from './root.ts'

/** Builds the published package into a folder: equal bytes from equal sources. */
export async function buildPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const dist = join(folder, 'dist')
  const modules = await bundle(dist)
  writeFileSync(join(dist, packedDatabaseName), await newDatabase())
  const builds = [await built(board, dist), await built(guide, dist)]
  mkdirSync(join(dist, 'docs'))
  for (const file of docsFiles) writeFileSync(join(dist, 'docs', basename(file)), readDocsFile(file))
  writeFileSync(join(dist, 'client.d.ts'), clientDeclarations(manifest.version))
  writeFileSync(join(dist, 'call.d.ts'), callDeclarations())
  const libraries = [
    ...bundledLibraries(modules),
    ...copiedLibraries('apps/http', docsFiles),
    ...builds.flatMap(pageLibraries),
  ]
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), noticeOf(libraries))
  cpSync(join(root, 'docs/specboard.1'), join(dist, 'specboard.1'))
  cpSync(join(root, 'integrations/plugin/skills'), join(dist, 'skills'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const page of ['README.md', 'CHANGELOG.md', 'LICENSE']) cpSync(join(root, page), join(folder, page))
}

/**
 * Puts pages, built from the current sources, into the package.
 * @returns the folder of the build
 */
async function built(pages: Pages, dist: string): Promise<string> {
  await builtSite(pages)
  const folder = await buildFolder(pages)
  cpSync(folder, join(dist, pages.name, basename(folder)), {
    recursive: true,
    filter: path => !path.includes('licenses.json'),
  })
  return folder
}
