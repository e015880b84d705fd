import type { ResourceLimits } from 'node:worker_threads'

/**
 * The address of the file next to a module that a thread or process starts with: TypeScript in the sources, JavaScript
 * in the build.
 *
 * @example
 * new Worker(siblingFile(import.meta.url, 'page-check-thread'))
 */
export const siblingFile = (moduleUrl: string, name: string): URL =>
  new URL(`./${name}${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl)

/**
 * The limits of a thread that produces little garbage at a time: by default, Node would let it accumulate some 30 MiB.
 */
export const littleGarbage: ResourceLimits = { maxYoungGenerationSizeMb: 1 }
