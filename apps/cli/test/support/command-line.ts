import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const build = fileURLToPath(new URL('../../../../tools/package/tested.ts', import.meta.url))

let packaged: string | undefined

/**
 * How to start the command line in its own process: that of the package, which is made of the present sources once and
 * starts in half the processor time.
 */
export const commandLine = (...args: readonly string[]): { command: string; args: string[] } => {
  packaged ??= execFileSync(process.execPath, [build], { encoding: 'utf8' }).trim()
  return { command: process.execPath, args: [packaged, ...args] }
}

/** How to start the command line of the sources. */
export const sourceCommandLine = (...args: readonly string[]): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('../../src/main.js', import.meta.url)), ...args],
})
