import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Library files that the docs pages use unchanged. */
export const docsFiles = [
  'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui-dist/swagger-ui.css',
  'redoc/bundles/redoc.standalone.js',
] as const

/** A file of a library, by package and path. */
export type DocsFile = (typeof docsFiles)[number]

/** Reads a file of a library: from next to the bundled service, otherwise from the installed library. */
export function readDocsFile(file: DocsFile): Buffer {
  const packed = new URL(`docs/${basename(file)}`, import.meta.url)
  return readFileSync(existsSync(packed) ? packed : fileURLToPath(import.meta.resolve(file)))
}
