import { version } from '../apps/cli/src/version.ts'

/** A row of the table of runs in `docs/reliability.md`, as the last line of a tool that fills it. */
export const tableRow = (command: string, rounds: string, figures: string): string =>
  `| ${new Date().toISOString().slice(0, 10)} | ${version} | \`${command}\` | ${rounds} | ${figures} |`
