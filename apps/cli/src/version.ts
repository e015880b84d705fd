import { readFileSync } from 'node:fs'

/** The manifest with the version: the clone's, or that of the built package. */
const manifest = import.meta.url.endsWith('.ts') ? '../../../package.json' : '../package.json'

/** The running version, and `info.version` of /openapi.json. */
export const version: string = JSON.parse(readFileSync(new URL(manifest, import.meta.url), 'utf8')).version
