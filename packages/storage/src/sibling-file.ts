import type { ResourceLimits } from 'node:worker_threads'

/**
 * The address of the file beside a module that a thread or process starts with: TypeScript in the sources, JavaScript
 * in what is built of them.
 *
 * @example
 * new Worker(siblingFile(import.meta.url, 'page-check-thread'))
 */
export const siblingFile = (moduleUrl: string, name: string): URL =>
  new URL(`./${name}${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl)

/** The limits of a thread that makes little garbage at a time: by itself, Node would let it keep some 30 MiB of it. */
export const littleGarbage: ResourceLimits = { maxYoungGenerationSizeMb: 1 }
