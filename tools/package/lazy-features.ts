/**
 * Schemas are created when they are first needed. Creating those of all operations takes a sixth of a start, and causes
 * most of its garbage. So the registry of the package contains each operation as data, and loads a feature's schemas
 * from a separate file with the first call that needs one of them.
 */
import { join } from 'node:path'
import { features } from '@specboard/contract'
import type { Plugin } from 'rolldown'
import { described, type OperationData } from './lazily.ts'
import { root } from './root.ts'

const folder = join(root, 'packages/contract/src')
const registryFile = join(folder, 'registry.ts')
const prefix = '\0feature:'

/** The file of the package with the schemas of a feature. */
const entryOf = (feature: string): string => `schemas-of-${feature}`

/** The files that features' schemas are read from, by name. */
export const featureEntries = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(features).map(name => [entryOf(name), join(folder, 'features', `${name}.ts`)]))

/** Replaces the features in the registry with data. */
export const lazyFeatures: Plugin = {
  name: 'specboard-lazy-features',
  resolveId: (id, importer) => {
    const [, name] = /^\.\/features\/([\w-]+)\.ts$/.exec(id) ?? []
    return importer === registryFile && name !== undefined ? `${prefix}${name}` : undefined
  },
  load: id => (id.startsWith(prefix) ? lazyFeature(id.slice(prefix.length)) : undefined),
}

function lazyFeature(name: string): string {
  const feature = Object.entries(features).find(([each]) => each === name)
  if (feature === undefined) throw new Error(`registry.ts imports ./features/${name}.ts, which is no feature.`)
  const exported = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const operations = Object.entries(feature[1]).map(([each, operation]): [string, OperationData] => [
    each,
    described(operation),
  ])
  return `
    import { createRequire } from 'node:module'
    import { lazily } from ${JSON.stringify(join(root, 'tools/package/lazily.ts'))}
    const read = createRequire(import.meta.url)
    export const ${exported} = lazily(
      ${JSON.stringify(Object.fromEntries(operations))}, () => read('./${entryOf(name)}.js').${exported})`
}
