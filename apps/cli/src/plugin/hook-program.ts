/**
 * `bin/hook.mjs` of the plugin: `specboard hook` in one file, independent of whatever else is installed (harness 2).
 */
import { hook } from '../hook/hook.ts'

process.on('uncaughtException', () => process.exit(0))
try {
  await hook(process.argv.slice(2), process.env)
} finally {
  process.exit(0)
}
