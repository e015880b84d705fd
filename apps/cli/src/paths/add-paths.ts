import type { Command } from 'commander'
import type { Target, TargetFlags } from '../frame/target.ts'
import { withTarget } from '../frame/target-options.ts'
import type { CheckFlags, PathFlags, ReserveFlags } from './commands.ts'

/** What the commands need of the command line. */
interface Frame {
  readonly exit: (code: number) => void
  readonly targetNow: (flags: TargetFlags) => Promise<Target>
}

/** Adds `specboard paths` (harness 5.8). */
export function addPaths(specboard: Command, { exit, targetNow }: Frame): void {
  const load = () => import('./commands.ts')
  const paths = specboard
    .command('paths')
    .description('Show who works on files, and reserve files for work without a card.')
  const command = (usage: string, description: string): Command =>
    withTarget(paths.command(usage))
      .description(description)
      .option('--board <board>', 'id, key or name; else the board of .specboard.json')
      .option('--json', 'one JSON object')

  command('who', 'Show who is working on files, one line each.')
    .argument('<file...>')
    .action(async (files: readonly string[], flags: PathFlags) =>
      exit(await (await load()).who(files, flags, await targetNow(flags))),
    )
  command('check', 'List the changed files that somebody else is working on; exit code 1 if there are any.')
    .argument('[file...]', 'these files instead of the changed ones')
    .option('--staged', 'the files of the next commit')
    .addHelpText('after', '\nExample:\n  specboard paths check --staged')
    .action(async (files: readonly string[], flags: CheckFlags) =>
      exit(await (await load()).check(files, flags, await targetNow(flags))),
    )
  command('reserve', 'Reserve paths for work without a card, such as a refactoring; repeat it to renew.')
    .argument('<pattern...>', 'files, folders or patterns from the root of the repository')
    .option('--note <text>', 'what for')
    .option('--for <seconds>', 'how long, 60 to 86400; default: half an hour')
    .addHelpText('after', "\nExample:\n  specboard paths reserve 'src/db/**' --note 'New schema' --for 3600")
    .action(async (patterns: readonly string[], flags: ReserveFlags) =>
      exit(await (await load()).reserve(patterns, flags, await targetNow(flags))),
    )
  command('release', 'Give back what you reserved: all of it, or the reservations that you name by id or a pattern.')
    .argument('[reservation...]')
    .action(async (named: readonly string[], flags: PathFlags) =>
      exit(await (await load()).release(named, flags, await targetNow(flags))),
    )
}
