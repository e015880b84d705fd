/**
 * Writes the plain manifests of deploy/kubernetes from the chart, for those who do not use Helm.
 *
 * Usage: node tools/manifests.ts     needs helm
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifests, rendered } from './manifests/render.ts'
import { root } from './package/root.ts'

const folder = join(root, 'deploy/kubernetes')
mkdirSync(folder, { recursive: true })
for (const name of Object.keys(manifests)) writeFileSync(join(folder, name), rendered(name))
