import type { Command } from 'commander'
import type { Target, TargetFlags } from '../frame/target.ts'
import { withTarget } from '../frame/target-options.ts'
import type { GitFlags, HookFlags, SyncFlags } from './commands.ts'

/** What the commands need from the command line. */
interface Frame {
  readonly exit: (code: number) => void
  readonly targetNow: (flags: TargetFlags) => Promise<Target>
}

/** Adds `specboard git` (git 5). */
export function addGit(specboard: Command, { exit, targetNow }: Frame): void {
  const load = () => import('./commands.ts')
  const git = specboard.command('git').description('Report what git does to the service, with or without a forge.')
  const command = (usage: string, description: string): Command =>
    withTarget(git.command(usage))
      .description(description)
      .option('--repo <folder>', 'the repository; else the one of this folder')
      .option('--board <board>', 'id, key or name; else the board of .specboard.json')
      .option('--json', 'one JSON object')

  command('sync', 'Send the commits and branches that the service does not know; a second run sends nothing.')
    .option('--all', 'everything, not just 90 days or 2,000 commits the first time')
    .option('--since <time>', 'from this time on, as git reads it')
    .option('--create', 'create the repository on the board if it has none with this address')
    .addHelpText('after', '\nExample:\n  specboard git sync --board PRO --create')
    .action(async (flags: SyncFlags) => exit(await (await load()).sync(flags, await targetNow(flags))))
  command('install-hooks', 'Install hooks that send what git does; existing hooks are kept and called first.')
    .option('--trailer', 'also add the card that is claimed here to messages of commits')
    .option('--paths', 'also name, before a commit, its files that others work on')
    .option('--email', 'also author commits of this clone under the address by which the service knows the key holder')
    .option('--uninstall', 'remove them')
    .action(async (flags: HookFlags) => exit(await (await load()).hooks(flags, () => targetNow(flags))))
  command('link', 'Link a commit or branch to a record.')
    .argument('<name>', 'a sha of at least 7 digits, or the name of a branch')
    .argument('<ref>')
    .action(async (name: string, ref: string, flags: GitFlags) =>
      exit(await (await load()).link(name, ref, flags, await targetNow(flags))),
    )
  command('status', 'Print the card of this branch, and what was not sent.').action(async (flags: GitFlags) =>
    exit(await (await load()).status(flags, await targetNow(flags))),
  )
}
