import type { Reporter } from 'vitest/node'

/** Says at the end of `pnpm test` what it left out, and how to run it. */
export default class LeftOut implements Reporter {
  onTestRunEnd(): void {
    console.log(
      'Left out: pages in a browser, PostgreSQL, the installed package and the attacks. `pnpm test:all` runs them too.\n',
    )
  }
}
