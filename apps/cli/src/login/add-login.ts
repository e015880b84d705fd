import type { Command } from 'commander'
import type { Target, TargetFlags } from '../frame/target.ts'
import { withTarget } from '../frame/target-options.ts'
import type { LoginFlags, WhoFlags } from './login.ts'

/** What the commands need from the command line. */
interface Frame {
  readonly exit: (code: number) => void
  readonly targetNow: (flags: TargetFlags) => Promise<Target>
}

/** Adds `specboard login`, `logout` and `whoami` (harness 1). */
export function addLogin(specboard: Command, { exit, targetNow }: Frame): void {
  const load = () => import('./login.ts')
  specboard
    .command('login')
    .description('Ask for a key, test it, and save it for this user; verbs, "specboard mcp" and hooks then find it.')
    .argument('[url]', 'the service; else the one that a verb would use here')
    .option('--profile <name>', 'save it beside others, under this name [SPECBOARD_PROFILE]')
    .option('--key-stdin', 'read the key from standard input')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  specboard login https://specboard.example.com
  specboard login --profile reviewer --key-stdin < key`,
    )
    .action(async (url: string | undefined, flags: LoginFlags) => exit(await (await load()).login(url, flags)))
  specboard
    .command('logout')
    .description('Remove the saved key of this user; "specboard key revoke" ends the key itself.')
    .argument('[url]', 'the service; else the one that a verb would use here')
    .option('--profile <name>', 'the name under which it is saved [SPECBOARD_PROFILE]')
    .option('--json', 'one JSON object')
    .action(async (url: string | undefined, flags: LoginFlags) => exit((await load()).logout(url, flags)))
  withTarget(specboard.command('whoami'))
    .description('Print service, agent, preset and board of this folder, and where each was found; never the key.')
    .option('--json', 'one JSON object')
    .action(async (flags: WhoFlags) => exit(await (await load()).whoami(flags, await targetNow(flags))))
}
