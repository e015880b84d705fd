/**
 * Builds the npm package into dist/package and packs it into a tarball in dist. `npm install dist/specboard-….tgz` in
 * any folder installs the service, the command line and the typed client, without a build and without this repository.
 *
 * Usage: pnpm package
 */
import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackage } from './package/build.ts'
import { packTarball } from './package/pack.ts'
import { root } from './package/root.ts'

const folder = join(root, 'dist/package')
await buildPackage(folder)
// The image is built from the only tarball in the folder.
for (const earlier of globSync(join(root, 'dist/*.tgz'))) rmSync(earlier)
const tarball = packTarball(folder, join(root, 'dist'))
console.log(`${tarball}: ${Math.round(statSync(tarball).size / 1_000)} kB`)
