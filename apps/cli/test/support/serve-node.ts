/** A process that serves a folder with the settings of tests: `node serve-node.ts folder settings`. */
import type { Settings } from '../../src/mod.ts'
import type { Ready } from './node-process.ts'
import { serve } from './world.ts'

const [folder, settings] = process.argv.slice(2) as [string, string]
const { url, ownerKey, stop } = await serve(folder, JSON.parse(settings) as Partial<Settings>)
console.log(JSON.stringify({ url, ownerKey } satisfies Ready))
process.once('SIGTERM', () => void stop().then(() => process.exit()))
