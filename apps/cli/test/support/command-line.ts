const main = new URL('../../src/main.js', import.meta.url).pathname

/** How to start the command line in its own process. */
export const commandLine = (...args: readonly string[]): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [main, ...args],
})
