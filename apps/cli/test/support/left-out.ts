import type { Reporter } from 'vitest/node'

/** Says at the end of `pnpm test` what it left out, and how to run it. */
export default class LeftOut implements Reporter {
  onTestRunEnd(): void {
    console.log(
      'Left out: pages in a browser, PostgreSQL, large boards, and the installed package under attacks and faults\n' +
        '(`pnpm test:all` runs them too); what is true of the sources (`pnpm check`).\n',
    )
  }
}
