import { readFileSync } from 'node:fs'

/** The running version: that of the package, and `info.version` of /openapi.json. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
