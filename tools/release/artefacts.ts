import { createHash } from 'node:crypto'
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { description } from '../distribution/description.ts'
import { files, mcpbManifest } from '../distribution/files.ts'
import { mcpb } from '../distribution/mcpb.ts'
import { buildPackage } from '../package/build.ts'
import { packTarball } from '../package/pack.ts'
import { root } from '../package/root.ts'
import { materialsIn } from './materials.ts'
import { pnpm, run } from './run.ts'

const { name, version } = description

/** Builds all artefacts of a release in a folder, each file with its SHA-256 in `SHA256SUMS`. */
export async function makeArtefacts(folder: string): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true })
  const built = join(folder, 'package')
  await buildPackage(built)
  const artefacts = [
    packTarball(built, folder),
    bundle(built, folder),
    materialsIn(join(folder, `${name}-${version}.cdx.json`)),
    registryEntry(folder),
  ]
  rmSync(built, { recursive: true })
  const lines = artefacts.map(file => `${sha256(file)}  ${basename(file)}`)
  const sums = join(folder, 'SHA256SUMS')
  writeFileSync(sums, `${lines.join('\n')}\n`)
  return [...artefacts, sums]
}

/** The bundle for desktop clients: the package with its dependency, without the pages that only `serve` shows. */
function bundle(built: string, folder: string): string {
  const staged = join(folder, 'mcpb')
  cpSync(built, staged, { recursive: true })
  run(staged, 'npm', 'install', '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock')
  for (const unused of [
    'dist/web',
    'dist/guide',
    'dist/docs',
    'node_modules/better-sqlite3/deps',
    'node_modules/better-sqlite3/src',
  ])
    rmSync(join(staged, unused), { recursive: true, force: true })
  writeFileSync(join(staged, 'manifest.json'), `${JSON.stringify(mcpbManifest, null, 2)}\n`)
  const file = join(folder, `${name}-${version}.mcpb`)
  pnpm(root, 'dlx', mcpb, 'validate', join(staged, 'manifest.json'))
  pnpm(root, 'dlx', mcpb, 'pack', staged, file)
  rmSync(staged, { recursive: true })
  return file
}

function registryEntry(folder: string): string {
  const file = join(folder, 'server.json')
  writeFileSync(file, files['server.json']!)
  return file
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** The sizes of files in kB, by name. */
export const sizesOf = (paths: readonly string[]): Record<string, number> =>
  Object.fromEntries(paths.map(file => [basename(file), Math.ceil(statSync(file).size / 1_000)]))
