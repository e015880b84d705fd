import { execFileSync } from 'node:child_process'

/** Runs a command in a folder; its error output is shown. */
export function run(folder: string, command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Runs the pnpm that this project is installed with. */
export const pnpm = (folder: string, ...args: readonly string[]): void => run(folder, 'npx', '-y', 'pnpm@12', ...args)
