import type { Command } from 'commander'
import type { Target } from '../frame/target.ts'
import type { SetupFlags } from './setup.ts'

/** What the commands need from the command line. */
interface Frame {
  readonly exit: (code: number) => void
  readonly targetNow: () => Promise<Target>
}

/** Adds `specboard ci` (evidence 11). */
export function addCi(specboard: Command, { exit, targetNow }: Frame): void {
  const ci = specboard.command('ci').description('Let a pipeline send its test reports.')
  ci.command('setup')
    .description('Register the repository of this folder, trust its pipeline, and print the lines for it.')
    .option('--forge <forge>', 'github, gitlab, forgejo, gitea, jenkins or shell; else detected from the repository')
    .option('--board <board>', 'id, key or name; else the board of .specboard.json')
    .option('--repo <folder>', 'the repository; else the one of this folder')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  specboard ci setup --board PRO')
    .action(async (flags: SetupFlags) => {
      const { ciSetup } = await import('./setup.ts')
      exit(await ciSetup(flags, await targetNow()))
    })
}
