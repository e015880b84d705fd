import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const build = fileURLToPath(new URL('../../../../tools/package/tested.ts', import.meta.url))

/** The main file of the package built from the current sources; builds it if it does not exist yet. */
export const builtPackage = (): string => execFileSync(process.execPath, [build], { encoding: 'utf8' }).trim()

let packaged = process.env.SPECBOARD_TEST_MAIN

/**
 * How to start the command line in its own process: that of the package, which is built once from the current sources
 * and starts in half the processor time.
 */
export const commandLine = (...args: readonly string[]): { command: string; args: string[] } => {
  packaged ??= builtPackage()
  return { command: process.execPath, args: [packaged, ...args] }
}

/** How to start the command line of the sources. */
export const sourceCommandLine = (...args: readonly string[]): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('../../src/main.js', import.meta.url)), ...args],
})
